import Base
import Brokers
import HTTPWire
import Testing

/// Tests parameters that move a login or identify a user: a running server refuses them whatever its configuration.
@Suite struct RefusedParameterTests {
    static let rows: [(name: String, key: String?, answer: String)] = [
        ("market", nil, "201"), ("login_hint", nil, "422"), ("cpr_hint", nil, "422"), ("login_hint", "key", "201"),
        ("redirect_uri", "key", "422"), ("Redirect_Uri", "key", "422"), ("app_callback_uri", "key", "422"),
        ("idp_params", "key", "422"), ("idp_values", nil, "422"), ("state", "key", "422"), ("nonce", "key", "422"),
    ]

    @Test(arguments: rows)
    func `a parameter that moves a login is refused`(_ row: (name: String, key: String?, answer: String)) async throws {
        let bench = try HandlerBench { settings in
            settings.providers[0].parameters = Set(Self.rows.map(\.name))
            settings.apps["demo"]?.key = Secret("key")
        }
        var fields: Fields = [.contentType: "application/json"]
        if let key = row.key { fields[.authorization] = "Bearer \(key)" }
        let answer = try await bench.send(
            .post, "/v1/logins", fields, body: "{\"provider\": \"eid\", \"parameters\": {\"\(row.name)\": \"x\"}}")
        #expect("\(answer.status.rawValue)" == row.answer)
        if row.answer == "422" { #expect(answer.json["code"]?.string == "parameter_not_allowed") }
    }
}
