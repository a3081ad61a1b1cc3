/// What an app is told of each e-ID's own app.
import Brokers
import JOSE
import Testing

@testable import Switchback

@Suite struct ListProvidersTests {
    static func eidApp(_ lines: String) throws -> JSON {
        let configuration = try Configuration(SampleConfiguration.source(adding: lines))
        let bytes = ListProviders.json(configuration.providers).encoded()
        return try #require(try JSON(parsing: bytes)["providers"]?.array?.first?["eid_app"])
    }

    static func app(_ packages: [JSON], _ links: [JSON], _ schemes: [JSON]) -> JSON {
        [
            "android_packages": .array(packages),
            "android_queries": .array(
                packages.map { .string("<package android:name=\"\($0.string ?? "")\" />") }),
            "ios_probe_links": .array(links), "ios_query_schemes": .array(schemes),
        ]
    }

    /// The provider of the sample is called `mitid`.
    @Test(
        arguments: [
            ("", app(["dk.mitid.app.android"], [], [])),
            ("    eid: se_bankid\n", app(["com.bankid.bus"], ["bankid:///"], ["bankid"])),
            ("    eid: vipps\n", app(["no.dnb.vipps"], ["vipps://"], ["vipps"])),
            ("    eid: digid\n", app(["nl.rijksoverheid.digid.pub"], ["digid://"], ["digid"])),
            ("    eid: freja\n", app([], ["frejaeid://"], ["frejaeid"])), ("    eid: other\n", app([], [], [])),
            ("    eid_app: {android_packages: []}\n", app([], [], [])),
            (
                "    eid_app: {android_packages: [a.b, c.d], ios_probe_links: [\"x:\", \"https://a.example/x\"]}\n",
                app(["a.b", "c.d"], ["x:", "https://a.example/x"], ["x"])
            ),
        ] as [(String, JSON)]) func whatIsKnownOrConfigured(_ lines: String, _ expected: JSON) throws
    {
        #expect(try Self.eidApp(lines) == expected)
    }

    /// What is built in is what a configuration could say.
    @Test func whatIsKnownIsRight() {
        for (eid, app) in EIDApp.known {
            #expect(app.androidPackages.allSatisfy { SettingKind.androidPackage.accepts($0) }, "\(eid)")
            #expect(app.iosProbeLinks.allSatisfy { SettingKind.probeLink.accepts($0) }, "\(eid)")
        }
    }
}
