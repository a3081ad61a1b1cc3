import HTTPWire
import Testing

@testable import LoginAPI

/// Tests that the `type` of every problem links to a page of this server that says what to do.
@Suite struct ProblemPageTests {
    @Test func `every code has a page`() async throws {
        let bench = try HandlerBench()
        let index = try await bench.send(.get, "/problems")
        #expect(index.status == .ok)
        for code in Problem.Code.allCases {
            let type = Problem(code).response(requestID: "r", publicURL: "https://login.example.com").json["type"]
            #expect(type?.string == "https://login.example.com/problems/\(code.rawValue)")
            let page = try await bench.load(try #require(type?.string))
            #expect(page.status == .ok, "\(code)")
            #expect(page.fields[.contentType] == "text/html; charset=utf-8")
            #expect(
                page.fields[.contentSecurityPolicy]
                    == SecurityHeaders.policy(scriptSource: try PageScript(PageTests.folder).source))
            #expect(page.text.contains("<p>\(HTMLText.escaped(code.detail))</p>"), "\(code)")
            #expect(page.text.contains("<h1>\(code.rawValue)</h1>"))
            #expect(index.text.contains("href=\"/problems/\(code.rawValue)\""))
        }
    }

    @Test(arguments: ["/problems/", "/problems/nothing", "/problems/unknown_login/x"])
    func `another path has no page`(_ path: String) async throws {
        let answer = try await HandlerBench().send(.get, path)
        #expect(answer.brief == "404 not_found")
    }

    /// RFC 9110 §13.1.1. The response used to have no body.
    @Test func `an unmet precondition is a problem too`() async throws {
        let answer = try await HandlerBench().send(.get, "/openapi.yaml", [.ifMatch: "\"other\""])
        #expect(answer.brief == "412 precondition_failed")
    }
}
