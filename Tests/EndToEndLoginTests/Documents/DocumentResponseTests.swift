import Base
import EndToEndSupport
import StrictJSON
import Testing

/// Responses in the forms of the brokers' documents: which of them must name the issuer (RFC 9207).
@Suite(.blocking) struct DocumentResponseTests {
    enum Response: String, Sendable {
        /// `redirect_url?code=xxxx&state=yyyyy`, as Signaturgruppen writes it.
        case code = "code={code}&state={state}"
        case codeOfAnother = "code={code}&state={state}&iss=https://another.example"
        case error = "error=access_denied&state={state}"
        case errorOfAnother = "error=access_denied&state={state}&iss=https://another.example"
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: String
        /// Whether discovery promises `iss`; nil if it says nothing.
        let isPromised: Bool?
        var setting = "auto"
        let response: Response
        /// The reason; nil if the login completes.
        let reason: String?

        var testDescription: String {
            "\(self.kind), \(self.setting), promised: \(self.isPromised.map(String.init) ?? "no word"), \(self.response)"
        }
    }

    static let rows: [Row] = [
        Row(kind: "signaturgruppen", isPromised: false, response: .code, reason: nil),
        Row(kind: "signaturgruppen", isPromised: nil, response: .code, reason: nil),
        Row(kind: "signaturgruppen", isPromised: true, response: .code, reason: "invalid_response"),
        Row(kind: "signaturgruppen", isPromised: true, response: .error, reason: "user_cancelled"),
        Row(kind: "signaturgruppen", isPromised: false, response: .error, reason: "user_cancelled"),
        Row(kind: "signaturgruppen", isPromised: false, response: .codeOfAnother, reason: "invalid_response"),
        Row(kind: "signaturgruppen", isPromised: true, response: .errorOfAnother, reason: "invalid_response"),
        Row(
            kind: "signaturgruppen", isPromised: false, setting: "success_only", response: .code,
            reason: "invalid_response"),
        Row(
            kind: "signaturgruppen", isPromised: true, setting: "require", response: .error,
            reason: "invalid_response"),
        Row(kind: "oidc", isPromised: true, response: .code, reason: "invalid_response"),
        Row(kind: "oidc", isPromised: true, response: .error, reason: "invalid_response"),
        Row(kind: "oidc", isPromised: false, response: .code, reason: nil),
        Row(kind: "oidc", isPromised: true, setting: "optional", response: .code, reason: nil),
        Row(kind: "oidc", isPromised: true, setting: "optional", response: .codeOfAnother, reason: "invalid_response"),
    ]

    /// A code names the issuer where discovery promises it, and an error of Signaturgruppen's may come without it.
    ///
    /// Sources: D39.
    @Test(arguments: rows) func `a response in a document's form is accepted`(_ row: Row) async throws {
        let stage = try await FailingStage(
            FailingBroker(kind: row.kind, settings: "client_secret: secret, issuer_in_response: \(row.setting)"))
        stage.front.conduct(
            at: FailingRow.metadata,
            .changesDocument {
                $0["authorization_response_iss_parameter_supported"] = row.isPromised.map { .bool($0) }
            })
        let app = PhoneApp(stage.url)
        var browser = try await stage.open(app)
        let right = try await browser.callback(of: .query).url
        let code = try #require(right.firstMatch(of: /[?&]code=([^&]+)/)?.1)
        let state = try #require(right.firstMatch(of: /[?&]state=([^&]+)/)?.1)
        let query = row.response.rawValue.replacing("{code}", with: code).replacing("{state}", with: state)
        #expect(try await TestClient.send("GET", "\(right.prefix { $0 != "?" })?\(query)").status == 303)
        let login = try await app.waitForEnd()
        #expect(login["reason"]?["code"]?.string == row.reason)
        #expect((login["status"]?.string == "completed") == (row.reason == nil))
        if row.reason == "invalid_response" {
            // The operator is told why, at the level that servers log at.
            let told = try await stage.brokerErrors("login_ended")
            #expect(told.allSatisfy { $0.hasPrefix("response_issuer") } && !told.isEmpty, "\(told)")
        }
        await stage.stop()
    }
}
