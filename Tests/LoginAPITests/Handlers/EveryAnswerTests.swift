import HTTPWire
import Testing

@testable import LoginAPI

/// Tests what every response has: a request id, headers that restrict browsers, and a count.
@Suite(.timeLimit(.minutes(1))) struct EveryAnswerTests {
    static let targets = [
        "/v1/providers", "/v1/logins/x", "/v1/logins", "/go/x", "/callback/fake", "/done/unknown",
        "/done/unknown/state", "/openapi.yaml",
        "/.well-known/jwks.json", "/client/jwks.json", "/assets/switchback.css", "/assets/nothing.css", "/nothing",
    ]

    @Test(arguments: targets) func `every response has an ID and headers`(_ target: String) async throws {
        let bench = try HandlerBench()
        let answer = try await bench.send(.get, target)
        let id = try #require(answer.fields["request-id"])
        #expect(id.utf8.count == 12)
        #expect(answer.fields[.xContentTypeOptions] == "nosniff")
        #expect(answer.fields[.referrerPolicy] == "no-referrer")
        #expect(answer.fields[.strictTransportSecurity] == "max-age=31536000")
        #expect(answer.fields[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
        let counted = try #require(await bench.lastAnswered())
        #expect(counted.id == id)
        #expect(counted.status == answer.status)
        #expect(counted.client == IPAddress("192.0.2.1"))
    }

    @Test func `only pages have a style`() async throws {
        let bench = try HandlerBench()
        let page = try await bench.send(.get, "/done/unknown")
        let script = try PageScript(PageTests.folder).source
        #expect(
            page.fields[.contentSecurityPolicy]
                == "default-src 'none'; script-src \(script); connect-src 'self'; style-src 'self'; img-src 'self'; "
                + "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
        #expect(page.fields[.xRobotsTag] == "noindex")
        #expect(page.fields[.permissionsPolicy] != nil)
        let json = try await bench.send(.get, "/v1/providers")
        #expect(json.fields[.contentSecurityPolicy] == "default-src 'none'; frame-ancestors 'none'")
        #expect(json.fields[.xRobotsTag] == nil)
    }

    /// RFC 6797 §7.2.
    @Test func `without HTTPS no strict transport security is promised`() throws {
        var fields: Fields = [:]
        let script = try PageScript(PageTests.folder)
        SecurityHeaders(publicURL: "http://127.0.0.1:8080", pageScript: script.source).add(to: &fields, for: .browser)
        #expect(fields[.strictTransportSecurity] == nil)
    }

    @Test func `two requests have two IDs`() async throws {
        let bench = try HandlerBench()
        let (a, b) = (try await bench.send(.get, "/v1/providers"), try await bench.send(.get, "/v1/providers"))
        #expect(a.fields["request-id"] != b.fields["request-id"])
    }

    @Test func `a wrong method is told so`() async throws {
        let bench = try HandlerBench()
        let answer = try await bench.send(.put, "/v1/logins")
        #expect(answer.brief == "405 method_not_allowed")
        #expect(answer.fields[.allow] == "POST, OPTIONS")
        let options = try await bench.send(.options, "/v1/logins")
        #expect(options.status == .noContent)
        #expect(options.fields[.allow] == "POST, OPTIONS")
        #expect(await bench.lastAnswered()?.route == "none")
    }

    @Test func `files are compressed and have a tag`() async throws {
        let bench = try HandlerBench()
        for target in ["/assets/switchback.css", "/openapi.yaml"] {
            let plain = try await bench.send(.get, target)
            let packed = try await bench.send(.get, target, [.acceptEncoding: "gzip"])
            #expect(packed.fields[.contentEncoding] == "gzip")
            #expect(packed.body.count < plain.body.count / 2)
            let tag = try #require(plain.fields[.etag])
            #expect(try await bench.send(.get, target, [.ifNoneMatch: tag]).status == .notModified)
        }
    }

    @Test func `the providers are those of the settings`() async throws {
        let answer = try await HandlerBench().send(.get, "/v1/providers")
        #expect(
            answer.text == "{\"providers\":[{\"id\":\"eid\",\"kind\":\"oidc\",\"name\":\"e-ID\","
                + "\"names\":{\"da\":\"e-ID på dansk\",\"en\":\"e-ID\"},\"enabled\":true,"
                + "\"notices\":{},\"countries\":[\"DK\"],\"logo\":null,"
                + "\"platforms\":[\"ios\",\"android\",\"web\"],\"web_os\":null,"
                + "\"surfaces\":[\"auth_session\",\"tab\",\"system\"],\"eid\":\"eid\","
                + "\"eid_app\":{\"android_packages\":[],\"android_queries\":[],\"ios_probe_links\":[],"
                + "\"ios_query_schemes\":[],\"ios_store_url\":null,\"android_store_url\":null}}]}")
    }
}
