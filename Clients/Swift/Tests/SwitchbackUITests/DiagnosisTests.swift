import Foundation
import Testing

@testable import SwitchbackUI

/// What is wrong with an app, from what it is made of.
@Suite struct DiagnosisTests {
    /// What is changed in an app that is set up well, and what is then wrong.
    static let rows: [(change: @Sendable (inout AppFacts) -> Void, diagnoses: [String])] = [
        ({ _ in }, []), ({ $0.associatedDomains = nil }, []), ({ $0.returnHost = nil }, []),
        ({ $0.associatedDomains = ["applinks:app.example"] }, ["domain_not_associated: webcredentials:app.example"]),
        (
            { $0.associatedDomains = ["webcredentials:APP.example?mode=developer", "applinks:b.example"] },
            ["domain_not_associated: applinks:app.example"]
        ),
        ({ $0.association = nil }, ["site_unreadable: app.example"]),
        (
            { $0.association = Data(#"{"webcredentials": {"apps": ["T.com.example.shop.b"]}}"#.utf8) },
            ["app_not_listed: webcredentials at app.example", "app_not_listed: applinks at app.example"]
        ),
        (
            { $0.association = Data("<html>".utf8) },
            ["app_not_listed: webcredentials at app.example", "app_not_listed: applinks at app.example"]
        ),
        ({ $0.infoKeys = [] }, ["info_key_missing: NSFaceIDUsageDescription"]),
        ({ ($0.infoKeys, $0.hasSession) = ([], false) }, []),
        ({ $0.schemesOfApps = ["mitid", "BankID", "vipps"] }, ["query_scheme_missing: vipps"]),
        (
            { facts in facts.querySchemes = (0..<50).map { "s\($0)" } + ["mitid"] },
            ["too_many_query_schemes: s49", "query_scheme_missing: mitid"]
        ),
        ({ facts in facts.querySchemes = (1..<50).map { "s\($0)" } + ["mitid"] }, []),
        ({ $0.fetchedAssociation = $0.association }, []),
        (
            { $0.fetchedAssociation = Data(#"{"webcredentials": {"apps": ["T.com.example.shop"]}}"#.utf8) },
            ["association_not_fetched: applinks at app.example"]
        ),
        (
            { ($0.association, $0.fetchedAssociation) = (Data("{}".utf8), Data("{}".utf8)) },
            ["app_not_listed: webcredentials at app.example", "app_not_listed: applinks at app.example"]
        ),
        ({ $0.returnScheme = "com.example.shop" }, ["url_scheme_missing: com.example.shop"]),
        ({ ($0.returnScheme, $0.ownSchemes) = ("com.example.shop", ["other", "COM.example.shop"]) }, []),
        ({ $0.surfaces = ["a": [], "b": [.tab], "c": [.authSession]] }, []),
        (
            { ($0.surfaces, $0.hasHTTPS) = (["a": [], "b": [.tab], "c": [.authSession]], false) },
            ["browser_unsupported: c"]
        ),
        (
            { ($0.surfaces, $0.hasHTTPS, $0.returnScheme, $0.ownSchemes) = (["c": [.authSession]], false, "x", ["x"]) },
            []
        ),
        ({ $0.keyError = "unavailable" }, ["hardware_key_missing: unavailable"]),
        ({ ($0.keyError, $0.hasSession) = ("unavailable", false) }, []),
        ({ $0.storeError = "Keychain -34018" }, ["storage_unusable: Keychain -34018"]),
    ]

    private static var facts: AppFacts {
        var facts = AppFacts()
        facts.bundleID = "com.example.shop"
        facts.querySchemes = ["mitid", "bankid"]
        facts.infoKeys = ["NSFaceIDUsageDescription"]
        facts.associatedDomains = ["webcredentials:app.example", "applinks:app.example"]
        facts.returnHost = "app.example"
        facts.association = Data(
            #"""
            {"applinks": {"details": [{"appIDs": ["T.com.example.shop"]}]},
             "webcredentials": {"apps": ["T.com.example.shop"]}}
            """#.utf8)
        facts.schemesOfApps = ["mitid"]
        facts.hasSession = true
        return facts
    }

    @Test("each mistake of an app has its diagnosis", arguments: rows.indices) func eachMistake(_ index: Int) {
        var facts = Self.facts
        Self.rows[index].change(&facts)
        #expect(facts.diagnoses.map(\.description) == Self.rows[index].diagnoses)
    }

    /// The value of the entitlement in a profile, and the domains that it allows; nil for any.
    static let profiles: [(value: String?, domains: [String]?)] = [
        ("<array><string>applinks:a.example</string></array>", ["applinks:a.example"]),
        ("<array><string>*</string></array>", nil), ("<string>*</string>", nil), (nil, []),
    ]

    @Test("the schemes of the app are those of all its types, and anything else is none")
    func theSchemesOfTheApp() {
        let types: [[String: Any]] = [
            ["CFBundleURLSchemes": ["a", "b"]], ["CFBundleURLName": "c"], ["CFBundleURLSchemes": ["d"]],
        ]
        #expect(AppFacts.schemes(ofURLTypes: types) == ["a", "b", "d"])
        #expect(AppFacts.schemes(ofURLTypes: "a") == [] && AppFacts.schemes(ofURLTypes: nil) == [])
    }

    @Test("a provisioning profile says which domains it allows", arguments: profiles.indices)
    func aProfileSaysItsDomains(_ index: Int) {
        let row = Self.profiles[index]
        let entry = row.value.map { "<key>com.apple.developer.associated-domains</key>\($0)" } ?? ""
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>Entitlements</key><dict>\(entry)</dict></dict></plist>
            """
        let profile = Data([0x30, 0x82, 0xFF]) + Data(list.utf8) + Data([0, 0xFF])
        #expect(AppFacts.associatedDomains(inProfile: profile) == row.domains)
        #expect(AppFacts.associatedDomains(inProfile: Data([0x30, 0x82])) == nil)
    }
}
