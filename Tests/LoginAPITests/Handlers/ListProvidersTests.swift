import Brokers
import ConfigurationSamples
import HTTPWire
import StrictJSON
import Testing

@testable import LoginAPI
@testable import ServerConfiguration

/// Tests what an app learns about each e-ID's own app.
@Suite struct ListProvidersTests {
    static func eidApp(_ lines: String) throws -> JSON {
        let configuration = try Configuration(SampleConfiguration.source(adding: lines))
        let bytes = ListProviders.json(configuration.providers).encoded()
        return try #require(try JSON(parsing: bytes)["providers"]?.array?.first?["eid_app"])
    }

    /// The store page on Android is that of the first package.
    static func app(_ packages: [JSON], _ links: [JSON], _ schemes: [JSON]) -> JSON {
        let store = packages.first?.string.map { "https://play.google.com/store/apps/details?id=\($0)" }
        return [
            "android_packages": .array(packages),
            "android_queries": .array(
                packages.map { .string("<package android:name=\"\($0.string ?? "")\" />") }),
            "ios_probe_links": .array(links), "ios_query_schemes": .array(schemes),
            "ios_store_url": .null, "android_store_url": store.map { .string($0) } ?? .null,
        ]
    }

    /// The provider of the sample is called `mitid`.
    /// Sources: A2, A8, A9, A11, B1, E35.
    @Test(
        arguments: [
            ("", app(["dk.mitid.app.android"], [], [])),
            ("    eid: se_bankid\n", app(["com.bankid.bus"], ["bankid:///"], ["bankid"])),
            (
                "    eid: vipps\n",
                app(
                    ["no.dnb.vipps", "dk.danskebank.mobilepay", "fi.danskebank.mobilepay"],
                    ["vipps://", "mobilepay://", "mobilepayfi://"], ["vipps", "mobilepay", "mobilepayfi"])
            ),
            ("    eid: digid\n", app(["nl.rijksoverheid.digid.pub"], ["digid://"], ["digid"])),
            ("    eid: freja\n", app([], ["frejaeid://"], ["frejaeid"])), ("    eid: other\n", app([], [], [])),
            ("    eid_app: {android_packages: []}\n", app([], [], [])),
            (
                "    eid_app: {android_packages: [a.b, c.d], ios_probe_links: [\"x:\", \"https://a.example/x\"]}\n",
                app(["a.b", "c.d"], ["x:", "https://a.example/x"], ["x"])
            ),
        ] as [(String, JSON)]) func `an app learns what is known or configured`(_ lines: String, _ expected: JSON)
        throws
    {
        #expect(try Self.eidApp(lines) == expected)
    }

    /// Two apps with providers of their own, of which one may be the default, and a provider that neither has.
    static func response(_ query: String, apps: [String], isDefault: String?, _ fields: Fields = [:]) throws -> Response
    {
        var settings = PublicSettings(publicURL: "https://login.example.com")
        for app in apps {
            let own = app == "shop" ? ["mitid", "vipps"] : ["vipps", "digid"]
            settings.apps[app] = AppProfile(names: ["en": app], returnPrefixes: [], providers: Set(own))
            settings.apps[app]?.isDefault = app == isDefault
        }
        let providers = ["mitid", "vipps", "digid", "freja"].map { Provider(id: $0, brokerID: "x", names: ["en": $0]) }
        let list = ListProviders(
            providers, settings.apps, defaultApp: settings.defaultApp, publicURL: settings.publicURL)
        let target = try #require(Target("/v1/providers\(query)"))
        return try list.response(to: Request(head: RequestHead(.get, target, fields: fields), body: []))
    }

    typealias Choice = (query: String, apps: [String], isDefault: String?, ids: [String])

    @Test(
        arguments: [
            ("", ["shop"], nil, ["mitid", "vipps"]), ("", ["bank"], "bank", ["vipps", "digid"]),
            ("", ["shop", "bank"], "shop", ["mitid", "vipps"]), ("", ["shop", "bank"], "bank", ["vipps", "digid"]),
            ("?lang=da", ["shop", "bank"], "shop", ["mitid", "vipps"]),
            ("?app=bank", ["shop", "bank"], "shop", ["vipps", "digid"]),
            ("?app=shop", ["shop", "bank"], nil, ["mitid", "vipps"]),
            // A create must name an app, so none of them is wrong.
            ("", ["shop", "bank"], nil, ["mitid", "vipps", "digid"]), ("", [], nil, []),
        ] as [Choice]) func `a request without an app is for the default app`(_ row: Choice) throws
    {
        let list = try Self.response(row.query, apps: row.apps, isDefault: row.isDefault)
        let ids = try #require(try JSON(parsing: list.body)["providers"]?.array).compactMap { $0["id"]?.string }
        #expect(ids == row.ids)
        // A cache has the list of no other app.
        let tag = try #require(list.fields[.etag])
        let again = try Self.response(row.query, apps: row.apps, isDefault: row.isDefault, [.ifNoneMatch: tag])
        #expect(again.status == .notModified)
        guard row.apps.count == 2 else { return }
        let tags = try row.apps.map { try Self.response("?app=\($0)", apps: row.apps, isDefault: nil).fields[.etag] }
        #expect(tags.count { $0 == tag } == (row.ids.count == 2 ? 1 : 0))
    }

    static func provider(_ lines: String) throws -> JSON {
        let configuration = try Configuration(SampleConfiguration.source(adding: lines))
        let bytes = ListProviders.json(configuration.providers, publicURL: "https://login.example.com").encoded()
        return try #require(try JSON(parsing: bytes)["providers"]?.array?.first)
    }

    @Test(
        arguments: [
            ("", "logo", .null), ("", "surfaces", ["auth_session", "tab", "system"]),
            ("", "platforms", ["ios", "android", "web"]), ("", "web_os", .null),
            ("    logo: https://cdn.example/mitid.svg\n", "logo", "https://cdn.example/mitid.svg"),
            ("    logo: mitid.svg\n", "logo", "https://login.example.com/assets/mitid.svg"),
            ("    surfaces: [tab]\n", "surfaces", ["tab"]),
        ] as [(String, String, JSON)]) func `an app learns a provider's logo, surfaces and platforms`(
            _ lines: String, _ member: String, _ expected: JSON
        ) throws
    { #expect(try Self.provider(lines)[member] == expected) }

    @Test(
        arguments: [
            (.browser, ["ios", "android", "web"], nil), (.ciba, ["ios", "android", "web"], nil),
            (.launchLinks, ["ios", "android", "web"], ["ios", "android"]),
            (.headless, ["ios", "android", "web"], ["ios", "android"]), (.artifact, ["ios", "android"], []),
        ] as [(Provider.Flow, [String], [String]?)]) func `each flow works on its platforms`(
            _ flow: Provider.Flow, _ platforms: [String], _ systems: [String]?
        )
    {
        var provider = Provider(id: "x", brokerID: "x", names: ["en": "x"])
        provider.flow = flow
        #expect(provider.platforms.map(\.rawValue) == platforms)
        #expect(provider.webSystems?.map(\.rawValue) == systems)
    }

    /// An app that names its surface gets that one first, if it fits; a web page has only its browser.
    @Test(
        arguments: [
            (.ios, nil, [.authSession, .tab]), (.android, .tab, [.tab, .authSession]),
            (.ios, .system, [.authSession, .tab]), (.web, .tab, [.system]), (nil, nil, [.authSession, .tab]),
        ] as [(AuthorizationContext.Platform?, AuthorizationContext.Surface?, [AuthorizationContext.Surface])])
    func `links are opened in the surfaces that fit`(
        _ platform: AuthorizationContext.Platform?, _ wanted: AuthorizationContext.Surface?,
        _ surfaces: [AuthorizationContext.Surface]
    ) {
        var provider = Provider(id: "x", brokerID: "x", names: ["en": "x"])
        provider.surfaces = [.authSession, .tab]
        #expect(provider.surfaces(on: platform, wanted: wanted) == surfaces)
    }

    @Test(arguments: [
        ("    logo: ../x.svg\n", "logo"), ("    logo: http://x.example/x.svg\n", "logo"), ("    logo: x.txt\n", "logo"),
        ("    eid_app: {ios_store_url: \"itms-apps://x\"}\n", "ios_store_url"),
        ("    surfaces: [window]\n", "surfaces"),
    ]) func `settings that cannot work are refused`(_ lines: String, _ setting: String) {
        let problems = SampleConfiguration.problems(SampleConfiguration.source(adding: lines))
        #expect(problems.contains { $0.contains(setting) }, "\(problems)")
    }

    /// A configuration could contain the built-in values.
    @Test func `the built-in values are valid settings`() {
        for (eid, app) in EIDApp.known {
            #expect(app.androidPackages.allSatisfy { SettingKind.androidPackage.accepts($0) }, "\(eid)")
            #expect(app.iosProbeLinks.allSatisfy { SettingKind.probeLink.accepts($0) }, "\(eid)")
        }
    }
}
