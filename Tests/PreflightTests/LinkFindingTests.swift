import ConfigurationSamples
import StrictJSON
import Testing

@testable import Links
@testable import Preflight

/// Link files that may come from another server, and the findings about each.
@Suite struct LinkFindingTests {
    static let id = "ABCDE12345.com.example.shop"

    static func json(_ text: String) throws -> JSON {
        try JSON(
            parsing: Array(
                text.replacing("APP", with: Self.id).replacing("ONE", with: LinkExample.one)
                    .replacing("TWO", with: LinkExample.two).utf8))
    }

    static func links() throws -> AppLinks {
        try LinkExample.links(
            """
            return_prefixes: ["https://link.example.com/r/"]
                ios: {app_ids: [\(Self.id)]}
                android: [{package: com.example.shop, sha256_cert_fingerprints: ["\(LinkExample.one)", "\(LinkExample.two)"]}]
            """)
    }

    static let opens = "ok: link_url: apple-app-site-association: opens APP, for /r/"
    static let closed = "error: link_url: apple-app-site-association: does not open APP for "
    static let unnamed =
        "error: link_url: apple-app-site-association: does not name APP: is it the file of this server, with this configuration?"
    static let credentials = #","webcredentials":{"apps":["APP"]}}"#
    static let apple: [(String, String)] = [
        (#"{"applinks":{"details":[{"appIDs":["APP"],"components":[{"/":"/r/*"}]}]}"# + credentials, opens),
        (#"{"applinks":{"apps":[],"details":[{"appID":"APP","paths":["/r/*"]}]}"# + credentials, opens),
        (#"{"applinks":{"details":[{"appIDs":["X.y","APP"],"components":[{}]}]}"# + credentials, opens),
        (#"{"applinks":{"details":[{"appID":"APP","paths":["NOT /done/*","*"]}]}"# + credentials, opens),
        (
            #"{"applinks":{"details":[{"appIDs":["APP"],"components":[{"/":"/r/*"}]}]}}"#,
            "warning: link_url: apple-app-site-association: webcredentials does not name APP: no https callback ends its ASWebAuthenticationSession"
        ),
        (
            #"{"applinks":{"details":[{"appIDs":["APP"],"components":[{"/":"/x/*"}]}]}"# + credentials,
            closed + "/r/: is it the file of this server?"
        ),
        (
            #"{"applinks":{"details":[{"appIDs":["APP"],"components":[{"/":"/r/"}]}]}"# + credentials,
            closed + "/r/a: is it the file of this server?"
        ),
        (
            #"{"applinks":{"details":[{"appIDs":["APP"],"components":[{"/":"/r/*","exclude":true},{"/":"*"}]}]}"#
                + credentials, closed + "/r/: is it the file of this server?"
        ),
        (
            // The older form is ignored if both are present.
            #"{"applinks":{"details":[{"appIDs":["APP"],"components":[],"appID":"APP","paths":["*"]}]}"# + credentials,
            closed + "/r/: is it the file of this server?"
        ),
        (#"{"applinks":{"details":[{"appIDs":["X.y"],"components":[{}]}]}"# + credentials, unnamed),
        (#"{"applinks":{"details":[]}}"#, unnamed), (#"{"applinks":{"details":[1,null,{"appIDs":[1]}]}}"#, unnamed),
        (
            "{}",
            "error: link_url: apple-app-site-association: has no list applinks.details: is it the file of this server?"
        ),
        (
            #"[{"applinks":{"details":{}}}]"#,
            "error: link_url: apple-app-site-association: has no list applinks.details: is it the file of this server?"
        ),
    ]

    @Test(arguments: apple)
    func `Apple's file is compared with the configuration`(_ file: String, _ line: String) throws {
        var list = FindingList("link_url")
        AppleLinkFindings(try Self.links()).add(try Self.json(file), to: &list)
        #expect(list.all.map(\.description) == [line.replacing("APP", with: Self.id)])
    }

    static func statement(_ relations: String, _ fingerprints: String, package: String = "com.example.shop") -> String {
        #"{"relation":[\#(relations)],"target":{"namespace":"android_app","package_name":"\#(package)","#
            + #""sha256_cert_fingerprints":[\#(fingerprints)]}}"#
    }

    static let all = #""delegate_permission/common.handle_all_urls""#
    static let origin = #""delegate_permission/common.use_as_origin""#
    static let both = #""ONE","TWO""#
    static let lacks =
        "error: link_url: assetlinks.json: does not open com.example.shop signed by F1:F1:F1:F1...: compare sha256_cert_fingerprints"
    static let google: [(String, String)] = [
        (
            "[\(statement("\(all),\(origin)", both))]",
            "ok: link_url: assetlinks.json: opens com.example.shop, 2 certificates"
        ),
        (
            "[\(statement(origin, both)),\(statement(all, "\"ONE\"")),\(statement(all, "\"TWO\""))]",
            "ok: link_url: assetlinks.json: opens com.example.shop, 2 certificates"
        ),
        (
            "[\(statement(all, both))]",
            "warning: link_url: assetlinks.json: has no use_as_origin for com.example.shop signed by 0A:0A:0A:0A...: no postMessage"
        ),
        ("[\(statement("\(all),\(origin)", "\"ONE\""))]", lacks), ("[\(statement(all, "\"ONE\",\"F1\""))]", lacks),
        (
            "[\(statement(origin, both))]",
            "error: link_url: assetlinks.json: does not open com.example.shop signed by 0A:0A:0A:0A...: compare sha256_cert_fingerprints"
        ),
        (
            "[\(statement(all, both, package: "com.example.other")),{\"include\":\"https://x.example\"}]",
            "error: link_url: assetlinks.json: does not name com.example.shop: is it the file of this server, with this configuration?"
        ),
        (
            "[]",
            "error: link_url: assetlinks.json: does not name com.example.shop: is it the file of this server, with this configuration?"
        ),
        (
            statement(all, both),
            "error: link_url: assetlinks.json: is not a list at the top level: is it the file of this server?"
        ),
    ]

    @Test(arguments: google)
    func `Google's file is compared with the configuration`(_ file: String, _ line: String) throws {
        var list = FindingList("link_url")
        AndroidLinkFindings(try Self.links()).add(try Self.json(file), to: &list)
        #expect(list.all.map(\.description) == [line])
    }
}
