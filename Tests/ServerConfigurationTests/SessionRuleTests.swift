import Base
import ConfigurationSamples
import KeyFiles
import Sessions
import TestSupport
import Testing

@testable import ServerConfiguration

/// Tests the rules for sessions: each row is a setting, with what is found.
@Suite(.blocking) struct SessionRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// More settings of the app `shop`.
        let shop: String
        /// More apps.
        var apps = ""
        /// More settings of its provider `p`.
        var provider = ""
        /// More providers.
        var providers = ""
        var keys = SessionRuleTests.keys
        var top = ""
        let finds: [String]

        init(
            _ shop: String = "", apps: String = "", provider: String = "prompt: login, session: unlock",
            providers: String = "", keys: String = SessionRuleTests.keys, top: String = "", _ finds: String...
        ) {
            (self.shop, self.apps, self.provider, self.providers) = (shop, apps, provider, providers)
            (self.keys, self.top, self.finds) = (keys, top, finds)
        }

        var testDescription: String {
            "\(self.shop) \(self.apps) \(self.provider) \(self.providers) \(self.keys) \(self.top) \(self.finds)"
        }
    }

    static let keys = "access: [{file: access.pem}], session: [{file: session.key}]"
    private static let audience = "session_audience: \"https://api.example.com\""
    private static func level(_ word: String) -> String { "session: \(word), \(audience)" }

    static let levels = [
        Row(), Row("session: none"), Row(level("access")), Row(level("refresh")), Row(level("unlock")),
        Row(level("none")), Row("session: full", "error apps.shop.session"),
        // The audience of access tokens.
        Row("session: access", "error apps.shop.session_audience"),
        Row("session: unlock", "error apps.shop.session_audience"),
        Row("session: access, session_audience: \"\"", "error apps.shop.session_audience"),
        // The default audience of the assertions is the app's name.
        Row("session: access, session_audience: shop", "error apps.shop.session_audience"),
        Row("session: access, session_audience: api, audience: api", "error apps.shop.session_audience"),
        Row("session: access, session_audience: api, audience: other"),
        Row(
            "session: access, session_audience: kiosk", apps: "kiosk: {name: K, \(links)}",
            "error apps.shop.session_audience"),
        Row(
            "session: access, session_audience: x", apps: "kiosk: {name: K, \(links), audience: x}",
            "error apps.shop.session_audience"),
        Row("session_audience: shop", "error apps.shop.session_audience"),
        // Two apps of one API: each token names its app. But a weak app must not open the other one.
        Row(level("access"), apps: "kiosk: {name: K, \(links), \(level("access"))}"),
        Row(
            level("access"), apps: "kiosk: {name: K, release: immediate, \(level("access"))}",
            "error apps.kiosk.session_audience", "warning apps.kiosk.release"),
        Row("release: code, \(level("access"))", apps: "kiosk: {name: K, release: code, \(level("access"))}"),
        Row(
            level("access"), apps: "kiosk: {name: K, release: code, \(level("access"))}",
            "warning apps.kiosk.session_audience"),
        Row(
            level("access"), apps: "kiosk: {name: K, \(links), bearer: true, \(level("access"))}",
            "error apps.kiosk.session_audience"),
        Row(
            "bearer: true, \(level("access"))", apps: "kiosk: {name: K, \(links), \(level("unlock"))}",
            "error apps.kiosk.session_audience"),
        Row("bearer: true, \(level("access"))", apps: "kiosk: {name: K, \(links), bearer: true, \(level("access"))}"),
        // Tokens that work without a key.
        Row("\(level("access")), bearer: true"), Row("\(level("access")), bearer: false"),
        Row("\(level("refresh")), bearer: true", "error apps.shop.bearer"),
        Row("\(level("unlock")), bearer: true", "error apps.shop.bearer"),
        Row("bearer: true", "error apps.shop.bearer"),
        Row("bearer: sometimes", "error apps.shop.bearer"),
    ]

    static let caps = [
        // The provider's own limit: access, unless it says more.
        Row(level("refresh"), provider: "prompt: login", "warning apps.shop.session"),
        Row(level("unlock"), provider: "prompt: login, session: refresh", "warning apps.shop.session"),
        Row(level("access"), provider: "prompt: login"),
        Row(level("refresh"), provider: "prompt: login, session: unlock"),
        Row(level("access"), provider: "prompt: login, session: none", "warning apps.shop.session"),
        Row(provider: "prompt: login, session: none"),
        Row(
            level("unlock"), provider: "prompt: login",
            providers: "q: {broker: b, names: Q, prompt: login, session: unlock}"),
        // The broker must not remember the user, where a login may become a session.
        Row(level("refresh"), provider: "session: refresh", "error providers.p.prompt"),
        Row(level("unlock"), provider: "session: unlock", "error providers.p.prompt"),
        Row(level("unlock"), provider: "session: refresh", "error providers.p.prompt", "warning apps.shop.session"),
        Row(level("refresh"), provider: "session: unlock, max_age: 300"),
        Row(level("refresh"), provider: "session: unlock, prompt: \"consent login\""),
        Row(level("refresh"), provider: "session: unlock, prompt: consent", "error providers.p.prompt"),
        Row(level("access"), provider: "session: unlock"), Row(provider: "session: unlock"),
        Row(
            level("refresh"), provider: "prompt: login, session: refresh",
            providers: "q: {broker: b, names: Q}"),
        // The proof: none, and the code of a page.
        Row(
            "release: immediate, \(level("refresh"))", "warning apps.shop.release", "warning apps.shop.session"),
        Row("release: immediate, \(level("access"))", "warning apps.shop.release"),
        Row("release: code, \(level("refresh"))", "warning apps.shop.session"),
        Row("release: code, \(level("refresh"))", provider: "session: refresh", "warning apps.shop.session"),
        Row("release: code, \(level("refresh")), session_by_code: true"),
        Row(
            "release: code, \(level("refresh")), session_by_code: true", provider: "session: refresh",
            "error providers.p.prompt"),
        Row("release: code, \(level("access"))"), Row("\(level("refresh")), session_by_code: true"),
        Row("\(level("access")), session_by_code: true", "error apps.shop.session_by_code"),
        Row("session_by_code: true", "error apps.shop.session_by_code"),
        // DigiD, whichever broker carries it.
        Row(level("access"), provider: "prompt: login, eid: digid"),
        Row(level("access"), provider: "prompt: login, eid: digid, session: access"),
        Row(
            level("unlock"), provider: "prompt: login, eid: digid, session: refresh", "error providers.p.session",
            "warning apps.shop.session"),
        Row(provider: "prompt: login, eid: DigiD, session: unlock", "error providers.p.session"),
        Row(
            providers: "digid: {broker: b, names: D, prompt: login, session: refresh}",
            "error providers.digid.session"),
        Row(
            providers: "digid_midden: {broker: b, names: D, prompt: login, session: unlock}",
            "error providers.digid_midden.session"),
        Row(providers: "digid: {broker: b, names: D, prompt: login, eid: other, session: unlock}"),
        // The name says nothing, but what is asked of the broker does.
        Row(
            providers:
                "nlid: {broker: b, names: D, acr_values: [\"urn:grn:authn:nl:digid:substantial\"], prompt: login, session: unlock}",
            "error providers.nlid.session"),
        // Swedish BankID, whichever broker carries it, unless there is an agreement.
        Row(level("access"), provider: "prompt: login, eid: se_bankid, assurance: none"),
        Row(level("access"), provider: "prompt: login, eid: se_bankid", "warning providers.p.assurance"),
        Row(
            level("unlock"), provider: "prompt: login, eid: se_bankid, assurance: none, session: refresh",
            "error providers.p.session", "warning apps.shop.session"),
        Row(
            provider: "prompt: login, acr_values: [\"urn:grn:authn:se:bankid\"], assurance: none, session: unlock",
            "error providers.p.session"),
        Row(
            provider: "prompt: login, eid: bankid, countries: [SE], assurance: none, session: unlock",
            "error providers.p.session"),
        Row(provider: "prompt: login, eid: bankid, countries: [\"NO\"], session: unlock"),
        Row(
            level("unlock"),
            provider: "prompt: login, eid: se_bankid, assurance: none, session: unlock, session_permission: \"2026-17\""
        ),
        Row(
            level("unlock"),
            provider: "prompt: login, eid: se_bankid, assurance: none, session: unlock, session_permission: \"\"",
            "error providers.p.session", "error providers.p.session_permission", "warning apps.shop.session"),
        Row(
            level("unlock"), provider: "prompt: login, session: unlock, session_permission: yes of course",
            "warning providers.p.session_permission"),
        Row(level("unlock"), provider: "prompt: login, session: unlock, session_idle: 600"),
        Row(
            level("unlock"), provider: "prompt: login, session: unlock, session_idle: 9",
            "error providers.p.session_idle"),
    ]

    static let rest = [
        // The keys.
        Row(keys: ""), Row(keys: "access: [{file: access.pem}]"), Row(keys: "session: [{file: session.key}]"),
        Row(level("access"), keys: "", "error keys.access", "error keys.session"),
        Row(level("unlock"), keys: "access: [{file: access.pem}]", "error keys.session"),
        Row(level("refresh"), keys: "session: [{file: session.key}]", "error keys.access"),
        Row(keys: "access: [{file: session.key}]", "error keys.access[0].file"),
        Row(keys: "session: [{file: access.pem}]", "error keys.session[0].file"),
        Row(keys: "session: [{file: server.key}]", "error keys.session[0].file"),
        Row(keys: "session: [{file: nothing}]", "error keys.session[0].file"),
        Row(keys: "session: [{file: session.key}, {file: session.key}]", "error keys.session[1].file"),
        Row(keys: "session: [{file: session.key}, {file: session-2.key}]"),
        Row(keys: "access: [{file: access.pem}, {file: access.pem}]", "error keys.access[1].file"),
        Row(keys: "access: [{file: access.pem}, {file: access-2.pem}]", "error keys.access"),
        Row(keys: "access: [{file: access.pem}, {file: new.pem}]"),
        Row(keys: "access: [{file: access.pem, kid: a}, {file: new.pem, kid: a}]", "error keys.access[1].kid"),
        Row(keys: "access: [{file: access.pem, algorithm: RS256}]", "error keys.access[0].algorithm"),
        // A key has one use.
        Row(
            keys: "assertion: [{file: es256.pem}], access: [{file: es256.pem}]", "error keys.access[0].file"),
        Row(keys: "signing: [{file: es256.pem}], access: [{file: es256.pem}]", "error keys.access[0].file"),
        Row(
            keys: "assertion: [{file: es256.pem, kid: a}], access: [{file: access.pem, kid: a}]"),
        // The times.
        Row(top: "sessions: {idle: 600, lifetime: 600}", "error sessions.lifetime"),
        Row(top: "sessions: {idle: 599, lifetime: 600}"),
        Row(top: "sessions: {lifetime: 15552001}", "error sessions.attested_lifetime"),
        Row(top: "sessions: {lifetime: 15552000}"),
        Row(top: "sessions: {valid_from: \"2026-11-22T14:00:00Z\"}"),
        Row(top: "sessions: {valid_from: 2026-11-22T14:00:01Z}", "warning sessions.valid_from"),
        Row(top: "sessions: {valid_from: yesterday}", "error sessions.valid_from"),
    ]

    private static let links = "return_prefixes: [\"https://link.example.com/r/\"]"
    private static let now = Timestamp(seconds: 1_795_356_000)

    private static func source(_ row: Row) -> ConfigurationSource {
        let yaml = """
            public_url: https://login.example.com
            store: memory
            server_keys: [server.key]
            keys: {\(row.keys)}
            apps: {shop: {name: Shop, \(links), \(row.shop)}, \(row.apps)}
            brokers: {b: {kind: oidc, issuer: "https://id.example.com", client_id: c, client_secret: s}}
            providers: {p: {broker: b, names: P, \(row.provider)}, \(row.providers)}
            \(row.top)
            """
        return ConfigurationSource(
            name: "s.yaml", yaml: Array(yaml.utf8), files: SampleConfiguration.files, now: Self.now)
    }

    private static func problems(_ row: Row) -> [Diagnostic] {
        do throws(ConfigurationError) {
            return try Configuration.load(Self.source(row)).warnings
        } catch {
            return error.errors + error.warnings
        }
    }

    @Test(arguments: levels + caps + rest) func `each mistake about sessions is found`(_ row: Row) {
        let found = Self.problems(row)
        #expect(found.map { "\($0.level) \($0.path)" }.sorted() == row.finds.sorted(), "\(found)")
    }

    @Test(
        arguments: [
            ("session: unlock", nil), ("session: unlock, session_idle: 600", 600),
            ("eid: se_bankid, session: access", 7200),
            ("eid: se_bankid, session: unlock, session_permission: x", 7200),
            ("eid: se_bankid, session: unlock, session_permission: x, session_idle: 86400", 86_400),
        ] as [(String, Int?)]) func `the idle limit is that of the provider`(_ provider: String, _ seconds: Int?) throws
    {
        let row = Row(Self.level("unlock"), provider: "prompt: login, \(provider)")
        let configuration = try Configuration(Self.source(row))
        #expect(configuration.sessionIdleLimits["p"] == seconds.map { Duration.seconds($0) })
        #expect(configuration.sessionPermissions == (provider.contains("permission") ? ["p"] : []))
    }

    /// Each message says what is wrong and what to do.
    @Test func `each message says what to do`() {
        let row = Row("release: code, session: refresh, bearer: true", provider: "session: refresh", keys: "")
        #expect(
            Self.problems(row).map(\.description) == [
                "s.yaml:5: apps.shop.session_audience: is required, because session is refresh. Name the API that takes the app's access tokens",
                "s.yaml:5: apps.shop.bearer: is only for session: access, because whoever has a bearer token can use it. Remove it, or lower session",
                "s.yaml: keys.access: is required, because apps.shop.session is refresh. Make a key with `switchback keys generate access`",
                "s.yaml: keys.session: is required, because apps.shop.session is refresh. Make a key with `switchback keys generate session`",
                "s.yaml:5: apps.shop.session: is refresh, but no login of the app may become more than access. Look at session of its providers; DigiD, release: immediate, and release: code without session_by_code allow access at most",
            ])
    }

    // MARK: - Values

    @Test func `the settings of sessions have their values`() throws {
        let row = Row(
            "\(Self.level("unlock")), session_by_code: true",
            apps:
                "kiosk: {name: K, \(Self.links), session: access, session_audience: kiosk-api, bearer: true}, c: {name: C, \(Self.links)}",
            providers: "q: {broker: b, names: Q, session: none}, r: {broker: b, names: R}",
            top: "sessions: {valid_from: 2026-11-01T00:00:00Z, access_token_lifetime: 600, idle: 60, pin_tries: 3}")
        let configuration = try Configuration(Self.source(row))
        #expect(configuration.apps.map(\.session) == [.unlock, .access, .none])
        // A bearer app may send a thumbprint, but need not.
        #expect(configuration.apps.map(\.needsThumbprint) == [true, false, false])
        #expect(configuration.sessionLevels == ["p": .unlock, "q": .none, "r": .access])
        #expect(configuration.sessions.validFrom == Timestamp(seconds: 1_793_491_200))
        #expect(configuration.sessions.accessTokenLifetime == .seconds(600))
        #expect(configuration.sessions.idle == .seconds(60))
        #expect(configuration.sessions.lifetime == .seconds(30 * 86_400))
        #expect(configuration.sessions.attestedLifetime == .seconds(180 * 86_400))
        #expect(configuration.sessions.pinTries == 3)
        let made = try #require(configuration.sessionConfiguration)
        #expect(made.issuer == "https://login.example.com")
        #expect(made.rules.accessTokenLifetime == .seconds(600))
        #expect(made.rules.validFrom == Timestamp(seconds: 1_793_491_200))
        #expect((made.rules.idle, made.rules.pinTries) == (.seconds(60), 3))
        let (shop, kiosk) = (try #require(made.terms["shop"]), try #require(made.terms["kiosk"]))
        #expect(made.terms.count == 2 && made.terms.allSatisfy { $0.key == $0.value.app })
        #expect((shop.audience, shop.level) == ("https://api.example.com", .unlock))
        #expect((shop.allowsCodeProof, shop.allowsBearer) == (true, false))
        #expect((kiosk.audience, kiosk.level) == ("kiosk-api", .access))
        #expect((kiosk.allowsCodeProof, kiosk.allowsBearer) == (false, true))
        #expect(shop.attestation == nil && kiosk.attestation == nil)
    }

    /// Servers may learn the keys before any app has sessions, and no app has them without keys.
    @Test func `keys may come before sessions`() throws {
        #expect(try Configuration(Self.source(Row())).sessionConfiguration?.terms.isEmpty == true)
        for keys in ["", "access: [{file: access.pem}]", "session: [{file: session.key}]"] {
            #expect(try Configuration(Self.source(Row(keys: keys))).sessionConfiguration == nil)
        }
    }

    /// The active key seals, and the order of the list means nothing.
    @Test(arguments: ["{file: session.key}, {file: session-2.key}", "{file: session-2.key}, {file: session.key}"])
    func `keys are in the order of their phases`(_ list: String) throws {
        let keys = "session: [\(list)], access: [{file: access.pem}, {file: new.pem}]"
        let configuration = try Configuration(Self.source(Row(keys: keys)))
        let schedule = try #require(configuration.keySchedules[.session])
        let names = schedule.order.map { schedule.keys[$0].name }
        #expect(names == ["session-2.key", "session.key"])
        let ids = schedule.order.map { schedule.keys[$0].id }
        #expect(ids == configuration.sessionKeys.map { Base64URL.encode($0.id) })
        let made = try #require(configuration.sessionConfiguration)
        #expect(made.keys.first.id == configuration.sessionKeys[0].id)
        #expect(made.keys.all.count == 2)
        // The retired key still verifies tokens.
        #expect(configuration.accessKeySet.keys.count == 2)
        #expect(made.signer.keyID == configuration.accessKeys[0].keyID)
        #expect(configuration.assertionKeySet.keys.isEmpty)
    }

    /// A reload must not lose the keys that sessions need.
    @Test func `a reload keeps the keys`() throws {
        let with = try Configuration(Self.source(Row()))
        let without = try Configuration(Self.source(Row(keys: "")))
        try with.checkKeys(after: without)
        #expect(throws: OperatorError.self) { try without.checkKeys(after: with) }
    }
}
