import Base
import EndToEndSupport
import JOSE
import Sandbox
import StrictJSON
import Testing

/// The app's own backend fetches a result itself, with the poll secret that the app gave it and its own key.
@Suite struct BackendFetchTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Values of `Api-Key`.
        var keys: [String] = []
        var secret: Secret = .right
        let status: Int
        var code: String?
        var isWhole = false

        enum Secret: Sendable { case right, others, none }
    }

    private static let key = EncryptedAssertionTests.apiKey

    static let rows = [
        Row(testDescription: "phone", status: 200),
        Row(testDescription: "backend", keys: [key], status: 200, isWhole: true),
        Row(testDescription: "wrong key", keys: [key + "x"], status: 401, code: "app_key_refused"),
        Row(testDescription: "empty key", keys: [""], status: 401, code: "app_key_refused"),
        Row(testDescription: "two keys", keys: [key, key], status: 401, code: "app_key_refused"),
        Row(testDescription: "with a scheme before it", keys: ["Bearer \(key)"], status: 401, code: "app_key_refused"),
        // A key without the poll secret opens nothing.
        Row(testDescription: "key alone", keys: [key], secret: .none, status: 401, code: "poll_secret_required"),
        Row(testDescription: "another's secret", keys: [key], secret: .others, status: 404, code: "unknown_login"),
        Row(testDescription: "wrong both", keys: ["x"], secret: .others, status: 404, code: "unknown_login"),
    ]

    @Test(arguments: ["application/json", "text/event-stream"])
    func `a result needs the poll secret and the backend's key`(_ type: String) async throws {
        let api = try PrivateKey.generate(.p256)
        let server = try await EncryptedAssertionTests.server(key: api.publicKey.jwk(keyID: "api", use: "enc").json)
        let app = try await EncryptedAssertionTests.login(server)
        let before = try #require(try await app.poll().json)
        for row in Self.rows {
            // The rate limit allows few polls that do not wait.
            server.clock.advance(by: .seconds(10))
            let secret: String? =
                switch row.secret {
                case .right: app.secret
                case .others: PhoneApp(server.url).secret
                case .none: nil
                }
            let fields =
                [Parameter("Accept", type), Parameter("Prefer", "wait=5")] + row.keys.map { Parameter("Api-Key", $0) }
                + (secret.map { [Parameter("Authorization", "Bearer \($0)")] } ?? [])
            let answer = try await Self.patiently {
                try await TestClient.send("GET", "\(server.url)/v1/logins/\(app.id ?? "")", fields: fields)
            }
            #expect(answer.status == row.status, "\(row)")
            #expect(answer.json?["code"]?.string == row.code, "\(row)")
            for secret in EncryptedAssertionTests.secrets {
                #expect(answer.text.contains(secret) == row.isWhole, "\(row): \(secret)")
            }
        }
        // None of these requests changed the login.
        let after = try #require(try await Self.patiently { try await app.poll() }.json)
        #expect(after["version"] == before["version"] && after["identity"] == before["identity"])
        await server.stop()
    }

    /// An app without a configured key has no backend that could present one.
    @Test func `an app without a key refuses every key`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        _ = try await app.create(BrokerVariant.query.name)
        #expect(try await app.poll([Parameter("Api-Key", Self.key)]).json?["code"]?.string == "app_key_refused")
        #expect(try await app.poll().json?["status"]?.string == "pending")
        await server.stop()
    }

    /// A caller with a poll secret could try many keys, so each attempt counts as a poll, even one that waits.
    @Test(arguments: [nil, 5], ["application/json", "text/event-stream"])
    func `keys are not tried without a limit`(_ wait: Int?, _ type: String) async throws {
        let server = try await EncryptedAssertionTests.server()
        let app = PhoneApp(server.url)
        _ = try await app.create("mitid")
        var statuses: Set<Int> = []
        for number in 0..<20 {
            let fields = [Parameter("Api-Key", "\(Self.key)\(number)"), Parameter("Accept", type)]
            statuses.insert(try await app.poll(wait: wait, fields).status)
        }
        #expect(statuses == [401, 429])
        await server.stop()
    }

    /// A backend may create a login with the same header.
    @Test(arguments: [("Api-Key", key, 201), ("Api-Key", "x", 401), ("Authorization", "Bearer \(key)", 201)])
    func `a backend creates logins with its key`(_ row: (name: String, value: String, status: Int)) async throws {
        let server = try await EncryptedAssertionTests.server()
        let body: JSON = ["provider": "mitid"]
        let answer = try await TestClient.send(
            "POST", "\(server.url)/v1/logins",
            fields: [Parameter("Content-Type", "application/json"), Parameter(row.name, row.value)],
            body: body.encoded())
        #expect(answer.status == row.status)
        await server.stop()
    }

    private static func patiently(_ ask: () async throws -> Answer) async throws -> Answer {
        while true {
            let answer = try await ask()
            guard answer.status == 429 else { return answer }
            try await Task.sleep(for: .seconds(answer[.retryAfter].flatMap { Int($0) } ?? 1))
        }
    }
}
