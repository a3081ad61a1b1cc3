import ConfigurationSamples
import StrictJSON
import TestSupport
import Testing

@testable import Links
@testable import ServerConfiguration

/// Tests the two link files, byte for byte, and which app a link belongs to.
@Suite(.blocking) struct LinkFileTests {
    static func text(_ json: JSON?) -> String? { json.map { String(decoding: $0.encoded(), as: UTF8.self) } }

    /// Both formats in an entry for each app id.
    /// Sources: C4, D55.
    @Test func `Apple is told of every app and its links`() throws {
        let links = try LinkExample.links(broker: "\n    callback: app")
        func entry(_ id: String) -> String {
            #"{"appIDs":["\#(id)"],"components":[{"/":"/r/*"},{"/":"/callback/idura"}],"#
                + #""appID":"\#(id)","paths":["/r/*","/callback/idura"]}"#
        }
        let ids = ["ABCDE12345.com.example.shop", "ABCDE12345.com.example.shop.beta"]
        #expect(
            Self.text(AppleAppSiteAssociation(links)?.json)
                == #"{"applinks":{"apps":[],"details":[\#(entry(ids[0])),\#(entry(ids[1]))]},"#
                + #""webcredentials":{"apps":["\#(ids[0])","\#(ids[1])"]}}"#)
    }

    /// Sources: D54.
    @Test func `Google is told of every package and its certificates`() throws {
        #expect(
            Self.text(AssetLinks(try LinkExample.links())?.json)
                == #"[{"relation":["delegate_permission/common.handle_all_urls","#
                + #""delegate_permission/common.use_as_origin"],"target":{"namespace":"android_app","#
                + #""package_name":"com.example.shop","#
                + #""sha256_cert_fingerprints":["\#(LinkExample.one)","\#(LinkExample.two)"]}}]"#)
    }

    /// What we read is what we wrote.
    @Test func `the files are read as phones read them`() throws {
        let links = try LinkExample.links(broker: "\n    callback: app")
        let apple = try #require(AppleAppSiteAssociation(links))
        let read = try #require(AppleAppSiteAssociation(reading: apple.json))
        for (path, opens) in [
            ("/r/", true), ("/r/x/y", true), ("/callback/idura", true), ("/r", false), ("/callback/idura/x", false),
            ("/done/x", false), ("/", false),
        ] {
            #expect(read.opens(path, in: "ABCDE12345.com.example.shop.beta") == opens, "\(path)")
            #expect(!read.opens(path, in: "ABCDE12345.com.example"))
        }
        #expect(read.webCredentials == apple.webCredentials)
        let assets = try #require(AssetLinks(links))
        #expect(AssetLinks(reading: assets.json) == assets)
    }

    @Test func `without apps there are no files`() throws {
        let links = try LinkExample.links("return_prefixes: [\"https://link.example.com/r/\"]")
        #expect(AppleAppSiteAssociation(links) == nil && AssetLinks(links) == nil)
        #expect(links.app(at: "/r/x")?.id == "shop")
        let nowhere = AppLinks(try Configuration(SampleConfiguration.source()))
        #expect(nowhere.apps.isEmpty && nowhere.origin == nil)
    }

    static func links(_ apps: [(String, [String])]) -> AppLinks {
        var links = AppLinks()
        links.apps = apps.map { id, prefixes in
            var app = AppLinks.App(id: id)
            app.prefixes = prefixes
            return app
        }
        return links
    }

    @Test(
        arguments: [
            ("/r/", "shop"), ("/r/x?", "shop"), ("/r/bank/x", "bank"), ("/r", nil), ("/R/", nil), ("/", nil), ("", nil),
            ("/b", "bank"), ("/bx", "bank"), ("/%72/", nil),
        ] as [(String, String?)]) func `the longest prefix decides`(_ path: String, _ app: String?)
    {
        let links = Self.links([("shop", ["/r/"]), ("bank", ["/b", "/r/bank/"])])
        #expect(links.app(at: path)?.id == app)
    }

    /// Only links on `link_url` are in the files, although the app has others.
    @Test func `the prefixes of the scheme come last`() throws {
        for (lines, prefixes, link) in [
            (LinkExample.shop, ["https://link.example.com/r/", "com.example.shop:/r/"], "com.example.shop:/r/"),
            (
                "return_prefixes: [\"https://link.example.com/r/\"]\n    return_scheme: com.example.shop",
                ["https://link.example.com/r/", "com.example.shop:/"], "com.example.shop:/"
            ),
            ("return_scheme: com.example.shop", ["com.example.shop:/"], "com.example.shop:/"),
            (
                "return_prefixes: [\"com.example.shops:/\"]\n    return_scheme: com.example.shop",
                ["com.example.shops:/", "com.example.shop:/"], "com.example.shop:/"
            ),
        ] {
            let configuration = try Configuration(LinkExample.source(lines))
            #expect(configuration.apps.first?.returnPrefixes == prefixes)
            #expect(AppLinks(configuration).apps.first?.schemeLink == link)
        }
    }

    @Test func `a file that no phone reads is refused`() {
        let ids = (0..<1500).map { "ABCDE12345.com.example.shop\($0)" }.joined(separator: ", ")
        let source = LinkExample.source(
            "return_prefixes: [\"https://link.example.com/r/\"]\n    ios: {app_ids: [\(ids)]}")
        #expect(
            SampleConfiguration.problems(source)
                == [
                    "apps: apple-app-site-association would be larger than 128 KB, which phones do not read. Configure fewer app ids or return_prefixes"
                ])
    }
}
