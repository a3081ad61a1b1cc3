import Base
import HTTPWire
import Logins
import StrictJSON
import Testing

@testable import LoginAPI

/// Tests what the body of a create request may be, and how the others are refused.
@Suite struct CreateBodyTests {
    static func read(
        _ body: String, type: String? = "application/json", app: String? = "demo", prefer: String? = nil
    ) throws(Problem) -> CreateBody {
        guard let target = Target("/v1/logins") else { throw Problem(.notFound) }
        var fields: Fields = [:]
        if let type { fields[.contentType] = type }
        if let prefer { fields[.prefer] = prefer }
        let request = Request(head: RequestHead(.post, target, fields: fields), body: Array(body.utf8))
        return try CreateBody(request, defaultApp: app)
    }

    static func refusal(
        _ body: String, type: String? = "application/json", app: String? = "demo", prefer: String? = nil
    ) -> String {
        do throws(Problem) {
            _ = try Self.read(body, type: type, app: app, prefer: prefer)
            return "read"
        } catch {
            return ([error.code.rawValue] + (error.member.map { [$0] } ?? [])).joined(separator: " ")
        }
    }

    static let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    static let replaced = "HxAeHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgE"

    static let thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"

    /// Every member of a create, with a value that is not the usual one.
    static let members: [(name: String, value: String)] = [
        ("provider", "\"eid\""), ("app", "\"demo\""), ("platform", "\"web\""), ("os", "\"windows\""),
        ("surface", "\"tab\""), ("eid_app_installed", "false"), ("app_switch", "false"), ("locale", "\"da-DK\""),
        ("nonce", "\"n-1\""), ("parameters", "{\"login_hint\": \"x\", \"b\": \"y\"}"), ("callback", "\"scheme\""),
        ("dpop_jkt", "\"\(thumbprint)\""), ("actions", "[\"open_browser\", \"take_photo\"]"),
        ("replaces", "\"\(replaced)\""), ("poll_secret", "\"\(secret)\""),
    ]

    @Test func `every member of a create is read`() throws {
        let read = try Self.read("{\(Self.members.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", "))}")
        var wanted = LoginRequest(provider: "eid", app: "demo")
        wanted.platform = .web
        wanted.os = "windows"
        wanted.surface = .tab
        wanted.eidAppInstalled = false
        wanted.appSwitch = false
        wanted.locale = "da-DK"
        wanted.nonce = "n-1"
        wanted.parameters = [Parameter("login_hint", "x"), Parameter("b", "y")]
        wanted.callback = .scheme
        wanted.dpopThumbprint = Self.thumbprint
        wanted.actions = KnownActions(["open_browser", "take_photo"])
        wanted.replaces = PollSecret(Self.replaced)
        #expect(read.login == wanted)
        #expect(read.login.replaces?.exposedText == Self.replaced)
        #expect(read.pollSecret?.exposedText == Self.secret)
    }

    /// The body is compared with that of a repeated create. What is compared has no secret in it.
    @Test func `the replaced login is a part of the body`() throws {
        let bodies = [Self.secret, Self.replaced].map { "{\"provider\": \"eid\", \"replaces\": \"\($0)\"}" }
        let (first, second) = (try Self.read(bodies[0]).login, try Self.read(bodies[1]).login)
        let none = try Self.read("{\"provider\": \"eid\"}").login
        #expect(first != second && first != none)
        #expect(first == (try Self.read(bodies[0]).login))
        let text = String(decoding: second.canonical, as: UTF8.self)
        #expect(text.contains("\"replaces\"") && !text.contains(Self.replaced))
        #expect(!"\(second)".contains(Self.replaced))
    }

    /// An absent member and `null` are the same request, so a retry with another encoder is the same login.
    @Test func `a null counts as absent`() throws {
        let nulls = Self.members.dropFirst().map { ", \"\($0.name)\": null" }.joined()
        let read = try Self.read("{\"provider\": \"eid\"\(nulls)}")
        #expect(read.login == (try Self.read("{\"provider\": \"eid\"}").login))
        #expect(read.login.appSwitch)
        #expect(read.pollSecret == nil)
    }

    typealias Row = (body: String, refusal: String)

    /// Sources: D5, E1.
    @Test(
        arguments: [
            ("", "malformed_json"), ("{", "malformed_json"), ("[]", "malformed_json"), ("\"eid\"", "malformed_json"),
            ("null", "malformed_json"), ("{\"provider\": \"eid\"} x", "malformed_json"),
            ("{\"provider\": \"eid\", \"provider\": \"eid\"}", "malformed_json"),
            ("\u{FEFF}{\"provider\": \"eid\"}", "malformed_json"), ("{'provider': 'eid'}", "malformed_json"),
            ("{\"provider\": \"eid\", \"x\": [[[[[[[[1]]]]]]]]}", "malformed_json"),
            ("{}", "missing_member provider"), ("{\"provider\": null}", "missing_member provider"),
            ("{\"provider\": 1}", "invalid_member provider"), ("{\"provider\": \"\"}", "invalid_member provider"),
            ("{\"provider\": \"a b\"}", "invalid_member provider"),
            ("{\"provider\": \"eid\", \"x\": 1, \"x\": 1}", "malformed_json"),
            ("{\"provider\": \"eid\", \"app\": 7}", "invalid_member app"),
            ("{\"provider\": \"eid\", \"platform\": \"symbian\"}", "invalid_member platform"),
            ("{\"provider\": \"eid\", \"platform\": [\"ios\"]}", "invalid_member platform"),
            ("{\"provider\": \"eid\", \"os\": 17}", "invalid_member os"),
            ("{\"provider\": \"eid\", \"surface\": \"webview\"}", "invalid_member surface"),
            ("{\"provider\": \"eid\", \"eid_app_installed\": \"yes\"}", "invalid_member eid_app_installed"),
            ("{\"provider\": \"eid\", \"app_switch\": 0}", "invalid_member app_switch"),
            ("{\"provider\": \"eid\", \"locale\": 7}", "invalid_member locale"),
            ("{\"provider\": \"eid\", \"locale\": [\"da\"]}", "invalid_member locale"),
            ("{\"provider\": \"eid\", \"nonce\": \"a\\u0000b\"}", "invalid_member nonce"),
            ("{\"provider\": \"eid\", \"nonce\": \"\"}", "invalid_member nonce"),
            ("{\"provider\": \"eid\", \"parameters\": []}", "invalid_member parameters"),
            ("{\"provider\": \"eid\", \"parameters\": {\"a\": 1}}", "invalid_member parameters.a"),
            ("{\"provider\": \"eid\", \"parameters\": {\"a\": null}}", "invalid_member parameters.a"),
            ("{\"provider\": \"eid\", \"parameters\": {\"a\": \"x\\ny\"}}", "invalid_member parameters.a"),
            ("{\"provider\": \"eid\", \"callback\": \"http\"}", "invalid_member callback"),
            ("{\"provider\": \"eid\", \"dpop_jkt\": \"\"}", "invalid_member dpop_jkt"),
            ("{\"provider\": \"eid\", \"dpop_jkt\": \"\(thumbprint)=\"}", "invalid_member dpop_jkt"),
            ("{\"provider\": \"eid\", \"dpop_jkt\": \"\(thumbprint)A\"}", "invalid_member dpop_jkt"),
            ("{\"provider\": \"eid\", \"dpop_jkt\": \"\(thumbprint.dropLast())J\"}", "invalid_member dpop_jkt"),
            ("{\"provider\": \"eid\", \"dpop_jkt\": \"\(thumbprint.dropLast())\"}", "invalid_member dpop_jkt"),
            ("{\"provider\": \"eid\", \"dpop_jkt\": {\"kty\": \"EC\"}}", "invalid_member dpop_jkt"),
            ("{\"provider\": \"eid\", \"actions\": \"open_browser\"}", "invalid_member actions"),
            ("{\"provider\": \"eid\", \"actions\": {\"open_browser\": true}}", "invalid_member actions"),
            ("{\"provider\": \"eid\", \"actions\": [\"open_browser\", 1]}", "invalid_member actions"),
            ("{\"provider\": \"eid\", \"actions\": [\"open_browser\", null]}", "invalid_member actions"),
            ("{\"provider\": \"eid\", \"actions\": [\"\"]}", "invalid_member actions"),
            ("{\"provider\": \"eid\", \"actions\": [\"open browser\"]}", "invalid_member actions"),
            ("{\"provider\": \"eid\", \"replaces\": true}", "invalid_member replaces"),
            ("{\"provider\": \"eid\", \"replaces\": [\"\(secret)\"]}", "invalid_member replaces"),
            ("{\"provider\": \"eid\", \"replaces\": \"\"}", "invalid_member replaces"),
            ("{\"provider\": \"eid\", \"replaces\": \"\(secret.dropLast())\"}", "invalid_member replaces"),
            ("{\"provider\": \"eid\", \"replaces\": \"\(secret)A\"}", "invalid_member replaces"),
            ("{\"provider\": \"eid\", \"replaces\": \"\(secret.dropLast())9\"}", "invalid_member replaces"),
            ("{\"provider\": \"eid\", \"replaces\": \"\(secret.dropLast())=\"}", "invalid_member replaces"),
            ("{\"provider\": \"eid\", \"poll_secret\": \"short\"}", "invalid_member poll_secret"),
            ("{\"provider\": \"eid\", \"poll_secret\": \"\(secret)A\"}", "invalid_member poll_secret"),
            (
                "{\"provider\": \"eid\", \"poll_secret\": \"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9\"}",
                "invalid_member poll_secret"
            ),
        ] as [Row]) func `each wrong body is refused`(_ row: Row)
    { #expect(Self.refusal(row.body) == row.refusal) }

    /// What is ignored, and what is refused with `Prefer: handling=strict` (RFC 7240 §4.4).
    @Test(
        arguments: [
            ("\"provder\": \"x\"", ["provder"], "unknown_member provder"),
            ("\"redirect_uri\": \"https://evil.example\"", ["redirect_uri"], "unknown_member redirect_uri"),
            ("\"Platform\": \"ios\"", ["Platform"], "unknown_member Platform"),
            ("\"unknown\": null", ["unknown"], "unknown_member unknown"),
            ("\"b\": {\"c\": [1]}, \"a\": 1", ["b", "a"], "unknown_member b"),
            ("\"a b\": 1, \"\(secret)\": 1", ["?"], "unknown_member"),
            (
                (0..<20).map { "\"m\($0)\": 0" }.joined(separator: ","), (0..<16).map { "m\($0)" },
                "unknown_member m0"
            ),
        ] as [(String, [String], String)]) func `unknown members are ignored unless the client is strict`(
            _ members: String, _ ignored: [String], _ refusal: String
        ) throws
    {
        let body = "{\"provider\": \"eid\", \(members)}"
        let read = try Self.read(body)
        #expect(read.unknown.names == ignored)
        #expect(read.login == (try Self.read("{\"provider\": \"eid\"}").login))
        #expect(Self.refusal(body, prefer: "handling=lenient") == "read")
        #expect(Self.refusal(body, prefer: "wait=5, Handling=strict") == refusal)
        #expect(Self.refusal("{\"provider\": \"eid\"}", prefer: "handling=strict") == "read")
    }

    /// A wish, or what the phone's system has written, is never a reason to fail a login.
    @Test(
        arguments: [
            // BCP 47 and what Apple, Java, .NET and C write instead.
            ("locale", "da-DK", "da-DK"), ("locale", "da_DK", "da-DK"), ("locale", "da", "da"),
            ("locale", "DA_dk", "DA-dk"),
            ("locale", "en_US@calendar=buddhist", "en-US"), ("locale", "en_US.UTF-8", "en-US"),
            ("locale", "da_DK.UTF-8@euro", "da-DK"), ("locale", "zh-Hans_CN", "zh-Hans-CN"),
            ("locale", "zh_Hant_TW", "zh-Hant-TW"), ("locale", "zh_TW_#Hant", "zh-TW"),
            ("locale", "th_TH_TH_#u-nu-thai", "th-TH-TH"),
            ("locale", "nn_NO_NY", "nn-NO-NY"), ("locale", "en-US-u-ca-gregory", "en-US-u-ca-gregory"),
            ("locale", "en_US_POSIX", "en-US-POSIX"), ("locale", "da-DK,en;q=0.5", "da-DK"), ("locale", "kl-", "kl"),
            ("locale", "es-419", "es-419"), ("locale", "sr_Latn_RS", "sr-Latn-RS"), ("locale", "de-DE-u", "de-DE"),
            ("locale", "da_DK_averylongvariant", "da-DK"), ("locale", "da--DK", "da"),
            ("locale", "de-DE-u-ca-gregory-nu-latn-x-private-use", "de-DE-u-ca-gregory-nu-latn"),
            // What names no language.
            ("locale", "", nil), ("locale", "C", nil), ("locale", "C.UTF-8", nil), ("locale", "POSIX", nil),
            ("locale", "1", nil), ("locale", "_DK", nil), ("locale", "Danish_Denmark.1252", nil), ("locale", "@x", nil),
            ("locale", "\u{1F1E9}\u{1F1F0}", nil), ("locale", "d\u{E6}", nil), ("locale", "*", nil),
            ("locale", "d4", nil),
            ("locale", String(repeating: "a", count: 1000), nil),
            // As browsers and phones name their systems.
            ("os", "ios", "ios"), ("os", "iOS", "ios"), ("os", "Android", "android"), ("os", "Windows", "windows"),
            ("os", "Chrome OS", nil), ("os", "iPhone OS 17.5", nil), ("os", "", nil),
            ("os", String(repeating: "a", count: 65), nil),
        ] as [(String, String, String?)]) func `what phones write is understood`(
            _ name: String, _ text: String, _ read: String?
        ) throws
    {
        var members: JSON.Object = ["provider": "eid"]
        members[name] = .string(text)
        let body = JSON.object(members)
        let create = try Self.read(String(decoding: body.encoded(), as: UTF8.self))
        #expect((name == "os" ? create.login.os : create.login.locale) == read)
        #expect(create.unknown.names == (read == nil ? [name] : []))
        let strict = Self.refusal(String(decoding: body.encoded(), as: UTF8.self), prefer: "handling=strict")
        #expect(strict == (read == nil ? "invalid_member \(name)" : "read"))
    }

    /// The same wish in another spelling is the same login.
    @Test func `another spelling is no other login`() throws {
        let (a, b) = (
            try Self.read("{\"provider\": \"eid\", \"locale\": \"da_DK\", \"os\": \"iOS\"}"),
            try Self.read("{\"provider\": \"eid\", \"locale\": \"da-DK\", \"os\": \"ios\"}")
        )
        #expect(a.login == b.login)
    }

    @Test(arguments: [
        nil, "text/plain", "application/x-www-form-urlencoded", "application/json; charset=iso-8859-1", "json",
        "application/problem+json", "",
    ]) func `a body must be JSON`(_ type: String?) {
        #expect(Self.refusal("{\"provider\": \"eid\"}", type: type) == "unsupported_media_type")
    }

    @Test(arguments: ["application/json", "Application/JSON", "application/json; charset=UTF-8"])
    func `JSON is accepted however its type is written`(_ type: String) {
        #expect(Self.refusal("{\"provider\": \"eid\"}", type: type) == "read")
    }

    @Test func `the app needs a name only without a default`() throws {
        #expect(try Self.read("{\"provider\": \"eid\"}").login.app == "demo")
        #expect(Self.refusal("{\"provider\": \"eid\"}", app: nil) == "missing_member app")
        #expect(try Self.read("{\"provider\": \"eid\", \"app\": \"b\"}").login.app == "b")
        #expect(try Self.read("{\"provider\": \"eid\", \"app\": \"b\"}", app: nil).login.app == "b")
    }

    @Test(
        arguments: [
            ([:], nil), (["a": false], "a"), (["a": true], "a"), (["a": false, "b": false], nil),
            (["a": false, "b": true], "b"),
        ] as [([String: Bool], String?)]) func `the default app is the marked one, or the only one`(
            _ apps: [String: Bool], _ name: String?
        )
    {
        var settings = PublicSettings(publicURL: "https://login.example.com")
        settings.apps = apps.mapValues {
            var app = AppProfile(names: ["en": "x"], returnPrefixes: [])
            app.isDefault = $0
            return app
        }
        #expect(settings.defaultApp == name)
    }

    @Test(
        arguments: [
            ([], []), (["open_app"], ["open_app"]), (["wait", "open_app", "wait"], ["open_app"]),
            (["OPEN_APP", "later.one"], ["OPEN_APP", "later.one"]),
        ] as [([String], [String])])
    func `a client may know any action`(_ names: [String], _ read: [String]) throws {
        let actions = JSON.array(names.map { .string($0) }).encoded()
        let body = "{\"provider\": \"eid\", \"actions\": \(String(decoding: actions, as: UTF8.self))}"
        let create = try Self.read(body, prefer: "handling=strict")
        #expect(create.login.actions.names == (read + ["wait"]).sorted())
    }

    @Test(arguments: [(32, 64, "read"), (33, 1, "invalid_member actions"), (1, 65, "invalid_member actions")])
    func `a list of actions has limits`(_ row: (count: Int, length: Int, refusal: String)) {
        let name = "\"\(String(repeating: "a", count: row.length))\""
        let names = Array(repeating: name, count: row.count).joined(separator: ",")
        #expect(Self.refusal("{\"provider\": \"eid\", \"actions\": [\(names)]}") == row.refusal)
    }

    @Test func `seventeen parameters are too many`() {
        let members = (0..<17).map { "\"p\($0)\": \"x\"" }.joined(separator: ",")
        #expect(Self.refusal("{\"provider\": \"eid\", \"parameters\": {\(members)}}") == "invalid_member parameters")
    }
}
