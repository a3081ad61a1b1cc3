import Base
import HTTPWire
import Logins
import Testing

@testable import LoginAPI

/// A login says which client created it: once, and whatever is in the field, the create succeeds.
@Suite(.timeLimit(.minutes(1))) struct CreateAgentTests {
    static let kotlin = "switchback-kotlin/1.2.0 (android 15; com.example.shop 4.2)"

    typealias Row = (values: [String], key: String?, client: String)

    @Test(
        arguments: [
            ([kotlin], nil, kotlin), ([kotlin], "key", kotlin), ([kotlin, kotlin], nil, "other"),
            (["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"], nil, "other"),
            ([""], nil, "other"), ([], nil, "none"), ([], "key", "none"),
        ] as [Row]) func `a login names the client that created it`(_ row: Row) async throws
    {
        let bench = try HandlerBench { $0.apps["demo"]?.key = Secret("key") }
        let app = BenchApp(bench: bench)
        var fields: Fields = [.contentType: "application/json"]
        if let key = row.key { fields[.authorization] = "Bearer \(key)" }
        for value in row.values { fields.add(.userAgent, value) }
        let body = "{\"provider\": \"eid\", \"poll_secret\": \"\(app.secret.exposedText)\"}"
        #expect(try await bench.send(.post, "/v1/logins", fields, body: body).status == .created)
        // A retry and a poll are no new logins.
        #expect(try await bench.send(.post, "/v1/logins", fields, body: body).status == .ok)
        #expect(try await app.poll().status == .ok)
        let clients = await bench.events.take(1).map { event -> String in
            guard case .created(let agent) = event.step else { return event.step.name }
            return agent.description
        }
        #expect(clients == [row.client])
        #expect(bench.events.isEmpty)
    }
}
