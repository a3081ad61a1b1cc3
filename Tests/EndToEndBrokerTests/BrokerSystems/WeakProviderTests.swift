import EndToEndSupport
import Testing

/// A provider without a proof next to an app that requires one: the app cannot use it unless its settings allow that.
@Suite struct WeakProviderTests {
    private static let strong = BrokerVariant(kind: "idura")
    private static let bankID = "acr_values: [\"urn:grn:authn:se:bankid\"], eid: se_bankid"
    private static let weak =
        "  weak: {broker: \(strong.name), names: {en: Weak}, flow: headless, release: immediate, \(bankID)}"

    private static func start(_ providers: String = "") async throws -> RunningServer {
        try await RunningServer.start(
            [Self.strong], providers: ", prompt: login, \(Self.bankID)",
            brokers: ", poll_interval: 0, bankid_link: \"ISSUER/bankid/\"", release: "return_link", system: .idura,
            app: "return_prefixes: [\"\(RunningServer.returnPrefix)\"]\(providers)", moreProviders: Self.weak)
    }

    private static func buttons(_ server: RunningServer, _ query: String) async throws -> [String] {
        let answer = try await TestClient.send("GET", "\(server.url)/v1/providers\(query)")
        return answer.json?["providers"]?.array?.compactMap { $0["id"]?.string } ?? ["\(answer.status)"]
    }

    /// The attacker may create what the app may. No order may begin that a victim could sign.
    @Test func `an attacker starts no login with a weak provider`() async throws {
        let server = try await Self.start()
        let answer = try await PhoneApp(server.url).create("weak", ["platform": "ios"])
        #expect(answer.status == 422 && answer.json?["code"]?.string == "unknown_provider")
        #expect(server.sandbox.requestLog.lastOrderRequest[Self.strong.name] == nil)
        let unknown = try await PhoneApp(server.url).create("nobodys", ["platform": "ios"])
        #expect(unknown.json?["detail"] == answer.json?["detail"], "the caller learns nothing about other apps")
        #expect(try await Self.buttons(server, "?app=demo") == [Self.strong.name])
        #expect(try await Self.buttons(server, "") == [Self.strong.name])
        #expect(try await Self.buttons(server, "?app=nobodys") == ["422"])
        #expect(try await PhoneApp(server.url).create(Self.strong.name, ["platform": "ios"]).status == 201)
        await server.stop()
    }

    @Test func `an app that names only a weak provider offers no other`() async throws {
        let server = try await Self.start(", providers: [weak]")
        #expect(try await PhoneApp(server.url).create("weak", ["platform": "ios"]).status == 201)
        #expect(try await PhoneApp(server.url).create(Self.strong.name, ["platform": "ios"]).status == 422)
        #expect(try await Self.buttons(server, "?app=demo") == ["weak"])
        await server.stop()
    }
}
