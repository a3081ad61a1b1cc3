import EndToEndSupport
import StrictJSON
import Testing

/// Whether the e-ID's app is installed, where to get it, and on which platforms it works.
@Suite struct EIDAppTests {
    typealias Switching = (installed: Bool?, wanted: Bool?, switches: Bool)

    /// The e-ID works with its app on the same phone, and with a page in the browser.
    /// Sources: A6.
    @Test(
        arguments: [
            (nil, nil, true), (true, nil, true), (false, nil, false), (nil, false, false), (true, false, false),
            (false, true, false),
        ] as [Switching]) func `an installed app decides whether apps are switched`(_ row: Switching) async throws
    {
        let variant = BrokerVariant(kind: "idura")
        let server = try await RunningServer.start(
            [variant], providers: ", prompt: login, acr_values: [\"urn:grn:authn:dk:mitid:substantial\"]",
            system: .idura)
        var wishes: JSON.Object = ["platform": "ios"]
        if let installed = row.installed { wishes["eid_app_installed"] = .bool(installed) }
        if let wanted = row.wanted { wishes["app_switch"] = .bool(wanted) }
        let app = PhoneApp(server.url)
        let created = try await app.create(variant.name, wishes)
        _ = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let asked = try #require(server.sandbox.requestLog.lastAuthorizationRequest[variant.name])
        let hint = asked.first { $0.name == "login_hint" }?.value ?? ""
        #expect(hint.contains("appswitch:ios") == row.switches)
        await server.stop()
    }

    private static func bankID() async throws -> RunningServer {
        try await RunningServer.start(
            [LaunchLinkLoginTests.json],
            providers:
                ", prompt: login, flow: launch_links, acr_values: [\"urn:grn:authn:se:bankid:same-device\"], "
                + "eid: se_bankid, countries: [SE], assurance: substantial, "
                + "eid_app: {ios_store_url: \"https://apps.apple.com/app/id1\", fallback_url: \"https://help.example/app\"}",
            brokers: ", poll_interval: 0", system: .idura)
    }

    private static let playStore = "https://play.google.com/store/apps/details?id=com.bankid.bus"

    typealias Store = (platform: String, os: String?, url: String)

    /// The e-ID works only with its app: the phone opens it, and `next` says where to get it for this phone.
    /// Sources: A38.
    @Test(
        arguments: [
            ("ios", nil, "https://apps.apple.com/app/id1"), ("android", nil, playStore),
            ("web", "ios", "https://apps.apple.com/app/id1"), ("web", "android", playStore),
        ] as [Store]) func `a user without the app is told where to get it`(_ row: Store) async throws
    {
        let server = try await Self.bankID()
        var wishes: JSON.Object = ["platform": .string(row.platform), "eid_app_installed": false]
        if let os = row.os { wishes["os"] = .string(os) }
        let app = PhoneApp(server.url)
        let created = try await app.create(LaunchLinkLoginTests.json.name, wishes)
        for answer in [created.json, try await app.poll().json] {
            let next = try #require(answer?["next"])
            #expect(next["action"]?.string == "open_app")
            #expect(next["store_url"]?.string == row.url)
            #expect(next["fallback"]?.string == "https://help.example/app")
        }
        // We ask the broker for the links of that phone.
        let asked = try #require(server.sandbox.requestLog.lastAuthorizationRequest[LaunchLinkLoginTests.json.name])
        let hint = asked.first { $0.name == "login_hint" }?.value ?? ""
        #expect(hint.contains("appswitch:\(row.os ?? row.platform)"))
        await server.stop()
    }

    typealias Refused = (wishes: JSON.Object, brief: String)

    @Test(
        arguments: [
            ([:], "400 missing_member platform"), (["platform": "web"], "400 missing_member os"),
            (["platform": "web", "os": "windows"], "422 platform_not_supported os"),
            (["platform": "web", "os": "web"], "422 platform_not_supported os"),
        ] as [Refused]) func `a login is refused where BankID's app cannot be opened`(_ row: Refused) async throws
    {
        let server = try await Self.bankID()
        let answer = try await PhoneApp(server.url).create(LaunchLinkLoginTests.json.name, row.wishes)
        #expect(Self.brief(answer) == row.brief)
        await server.stop()
    }

    @Test(
        arguments: [
            ([:], "400 missing_member platform"), (["platform": "web"], "422 platform_not_supported platform"),
            (["platform": "web", "os": "ios"], "422 platform_not_supported platform"),
        ] as [Refused]) func `a login is refused where DigiD's app cannot be opened`(_ row: Refused) async throws
    {
        let server = try await DigiDLoginTests.start()
        let answer = try await PhoneApp(server.url).create(DigiDLoginTests.own.name, row.wishes)
        #expect(Self.brief(answer) == row.brief)
        await server.stop()
    }

    private static func brief(_ answer: Answer) -> String {
        ([String(answer.status)] + ["code", "member"].compactMap { answer.json?[$0]?.string }).joined(separator: " ")
    }
}
