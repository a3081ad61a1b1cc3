import HTTPWire
import Testing

@testable import LoginAPI

/// Tests how often logins may be started: per network of the caller, and per app.
@Suite(.timeLimit(.minutes(1))) struct CreateLimitTests {
    static func create(_ bench: HandlerBench, from client: String, _ more: String = "") async throws -> String {
        try await bench.send(
            .post, "/v1/logins", [.contentType: "application/json"], body: "{\"provider\": \"eid\"\(more)}",
            from: client
        ).brief
    }

    @Test func `one address has a limit`() async throws {
        let bench = try HandlerBench { $0.rates.createPerAddress = Rate(perMinute: 2) }
        for _ in 0..<2 { #expect(try await Self.create(bench, from: "192.0.2.1") == "201") }
        #expect(try await Self.create(bench, from: "192.0.2.1") == "429 too_many_logins")
        #expect(try await Self.create(bench, from: "192.0.2.2") == "201")
    }

    @Test func `one IPv6 network has a limit`() async throws {
        let bench = try HandlerBench { $0.rates.createPerAddress = Rate(perMinute: 32) }
        #expect(try await Self.create(bench, from: "2001:db8::1") == "201")
        #expect(try await Self.create(bench, from: "2001:db8::2") == "201")
        #expect(try await Self.create(bench, from: "2001:db8::3") == "429 too_many_logins")
        #expect(try await Self.create(bench, from: "2001:db8:0:1::1") == "201")
    }

    @Test func `one app has a limit`() async throws {
        let bench = try HandlerBench {
            $0.rates.createPerApp = Rate(perMinute: 1)
            $0.apps["other"] = AppProfile(names: [:], returnPrefixes: [])
        }
        #expect(try await Self.create(bench, from: "192.0.2.1", ", \"app\": \"demo\"") == "201")
        #expect(try await Self.create(bench, from: "192.0.2.2", ", \"app\": \"demo\"") == "429 too_many_logins")
        #expect(try await Self.create(bench, from: "192.0.2.3", ", \"app\": \"other\"") == "201")
        #expect(try await Self.create(bench, from: "192.0.2.4", ", \"app\": \"none\"") == "422 unknown_app app")
    }

    @Test func `without a limit every create is accepted`() async throws {
        let bench = try HandlerBench {
            $0.rates.createPerAddress = nil
            $0.rates.createPerApp = nil
        }
        for _ in 0..<100 { #expect(try await Self.create(bench, from: "192.0.2.1") == "201") }
    }
}
