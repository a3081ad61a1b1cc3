import Base
import Cryptography
import EndToEndSupport
import HTTPWire
import JOSE
import PhoneKeys
import StrictJSON
import Testing

/// Attestation from the request to the session: what each phone gets at servers that do not look at it, that take what
/// they can get, and that require it.
@Suite struct AttestedSessionTests {
    /// One server, and what each phone gets: the answer, or `amr` and the days that the session lives.
    struct Server: Sendable, CustomTestStringConvertible {
        let requirement: String
        /// The age of the status list in hours; nil for none.
        let listAge: Int?
        let phones: [(AttestingPhone, String)]

        var testDescription: String {
            "\(self.requirement), \(self.listAge.map { "a status list \($0) hours old" } ?? "no status list")"
        }
    }

    /// What is wrong is refused wherever anything is looked at.
    private static let wrong: [(AttestingPhone, String)] = [
        (.iPhoneOfAnotherLogin, "403 attestation_invalid wrong_nonce"),
        (.iPhoneOfAnotherKey, "403 attestation_invalid wrong_nonce"),
        (.iPhoneOfAnotherApp, "403 attestation_invalid wrong_app"),
        (.iPhoneFromXcode, "403 attestation_invalid wrong_environment"),
        (.iPhoneOfNobody, "403 attestation_invalid wrong_signature"),
        (.androidOfAnotherLogin, "403 attestation_invalid wrong_challenge"),
        (.androidOfAnotherKey, "403 attestation_invalid wrong_key"),
        (.androidOfAnotherApp, "403 attestation_invalid wrong_package"),
        (.androidOfAnotherSigner, "403 attestation_invalid wrong_signer"),
        (.revokedAndroid, "403 attestation_invalid revoked"),
        (.unlockedAndroid, "403 attestation_invalid device_unlocked"),
        (.softwareAndroid, "403 attestation_invalid key_in_software"),
        (.androidOfNobody, "403 attestation_invalid wrong_signature"),
    ]

    static let servers = [
        Server(
            requirement: "none", listAge: 1,
            phones: [
                (.nothing, "200 pop 30"), (.iPhone, "200 pop 30"), (.iPhoneOfAnotherLogin, "200 pop 30"),
                (.android, "200 pop 30"), (.revokedAndroid, "200 pop 30"),
            ]),
        Server(
            requirement: "optional", listAge: 1,
            phones: wrong + [
                (.nothing, "200 pop 30"), (.iPhone, "200 pop 180"), (.android, "200 hwk 180"),
                (.strongBox, "200 hwk 180"),
            ]),
        Server(
            requirement: "required", listAge: 1,
            phones: wrong + [
                (.nothing, "403 attestation_required"), (.iPhone, "200 pop 180"), (.android, "200 hwk 180"),
                (.strongBox, "200 hwk 180"),
            ]),
        Server(
            requirement: "optional", listAge: nil,
            phones: [(.nothing, "200 pop 30"), (.android, "200 hwk 180"), (.revokedAndroid, "200 hwk 180")]),
        Server(
            requirement: "optional", listAge: 8 * 24,
            phones: [
                (.iPhone, "200 pop 180"), (.android, "200 hwk 180"),
                (.revokedAndroid, "403 attestation_invalid revoked"),
            ]),
        Server(
            requirement: "required", listAge: 25,
            phones: [(.android, "200 hwk 180"), (.revokedAndroid, "403 attestation_invalid revoked")]),
        Server(
            requirement: "required", listAge: 8 * 24,
            phones: [
                (.iPhone, "200 pop 180"), (.android, "403 attestation_invalid status_list_too_old"),
                (.revokedAndroid, "403 attestation_invalid revoked"),
            ]),
    ]

    @Test(arguments: servers) func `each phone gets what its attestation allows`(_ server: Server) async throws {
        let stage = try await Self.start(server.requirement, listAge: server.listAge)
        for (phone, expected) in server.phones {
            let found = try await Self.outcome(of: phone, at: stage)
            #expect(found == expected, "\(phone)")
        }
        await stage.stop()
    }

    static func start(
        _ requirement: String, listAge: Int? = 1, provider: String = ", prompt: login, session: unlock"
    ) async throws -> SessionStage {
        let roots = try AttestingPhone.roots()
        var settings = "attestation: {apple_roots: [apple.pem], android_roots: [android.pem]"
        settings += listAge == nil ? "}\n" : ", status_list: status.json}\n"
        return try await SessionStage.start(
            app: ", attestation: \(requirement)" + AttestingPhone.app, provider: provider,
            settings: settings + "limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}",
            files: [
                "apple.pem": roots.apple, "android.pem": roots.android,
                "status.json": Array(AttestingPhone.statusList.utf8),
            ],
            fileTimes: ["status.json": WallClock.now() - .seconds((listAge ?? 0) * 3600)])
    }

    /// Begins the session of a new user's phone, and renews it.
    private static func outcome(of kind: AttestingPhone, at stage: SessionStage) async throws -> String {
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.login(phone)
        let attestation = try Self.attestation(kind, phone, app)
        let begun = try await phone.send { try phone.beginning(app, attestation: attestation) }
        guard begun.status == 200 else {
            let again = try await phone.send { try phone.beginning(app, attestation: attestation) }
            #expect(again.brief == begun.brief, "a repeat gets the same")
            return [begun.brief, begun.json?["reason"]?.string].compactMap { $0 }.joined(separator: " ")
        }
        let (session, refreshToken) = (phone.session, phone.refreshToken)
        #expect(try await phone.send { try phone.beginning(app, attestation: attestation) }.status == 200)
        #expect(phone.session == session && phone.refreshToken == refreshToken, "a repeat gets the same session")
        #expect(try await phone.send { try phone.renewal() }.status == 200)
        let token = try CompactJWS(parsing: try #require(phone.accessToken))
        let keys = try await TestClient.send("GET", phone.server + "/.well-known/access-jwks.json")
        let verified = try token.verified(with: try JWKSet(parsing: keys.body), allowing: [.es256])
        let claims = try #require(verified.claims())
        let methods = (claims["amr"]?.array ?? []).compactMap(\.string).filter { ["hwk", "pop"].contains($0) }
        let listed = try await phone.send { try phone.listing() }
        let seconds = listed.json?["sessions"]?.array?.first { $0["current"] == true }?["ends_in"]?.integer ?? 0
        return "200 \(methods.joined(separator: ",")) \((seconds + 43_200) / 86_400)"
    }

    static func attestation(_ kind: AttestingPhone, _ phone: SessionPhone, _ app: PhoneApp) throws -> JSON? {
        try kind.attestation(of: phone.key, for: try #require(app.id), at: WallClock.now().seconds)
    }

    /// A login that may become no more than one access token needs no attestation.
    @Test func `a single access token needs no attestation`() async throws {
        let stage = try await Self.start("required", provider: ", prompt: login")
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.login(phone)
        for kind in [AttestingPhone.nothing, .iPhone, .iPhoneOfAnotherLogin] {
            let attestation = try Self.attestation(kind, phone, app)
            let begun = try await phone.send { try phone.beginning(app, attestation: attestation) }
            #expect(begun.status == 200 && begun.json?["refresh_token"] == nil, "\(kind): \(begun.text)")
        }
        await stage.stop()
    }

    /// A statement belongs to one login. The next login with the same key needs none, because Android attests a key
    /// only when it is made; the session keeps what was attested.
    @Test func `the next login of an attested key needs no attestation`() async throws {
        let stage = try await Self.start("required")
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.login(phone)
        // As the documentation says: an app can tell the id before the create.
        let secret = Secret(try #require(Base64URL.decode(app.secret)))
        #expect(app.id == Base64URL.encode(HMACKey(secret).code(Array("id".utf8)).prefix(16)))
        let first = try Self.attestation(.android, phone, app)
        #expect(try await phone.send { try phone.beginning(app, attestation: first) }.status == 200)
        let session = phone.session
        let next = try await stage.login(phone)
        let refused = try await phone.send { try phone.beginning(next, attestation: first) }
        #expect(refused.json?["reason"] == "wrong_challenge")
        #expect(try await phone.send { try phone.beginning(next) }.status == 200)
        #expect(phone.session == session)
        // After its end, the key has to be attested again.
        #expect(try await phone.send(phone.revocation()).status == 200)
        stage.server.clock.advance(by: .seconds(1))
        let last = try await stage.login(phone)
        #expect(try await phone.send { try phone.beginning(last) }.brief == "403 attestation_required")
        let again = try Self.attestation(.android, phone, last)
        #expect(try await phone.send { try phone.beginning(last, attestation: again) }.status == 200)
        await stage.stop()
    }

    // MARK: - Requests

    /// The statement in a body, and the problem with its member.
    static let bodies: [(JSON, String)] = [
        ("a text", "400 invalid_member attestation"), ([:], "400 missing_member attestation.format"),
        (["format": "packed"], "400 invalid_member attestation.format"),
        (["format": "apple-appattest"], "400 missing_member attestation.attestation_object"),
        (["format": "apple-appattest", "attestation_object": "AA"], "400 missing_member attestation.key_id"),
        (
            ["format": "apple-appattest", "attestation_object": "AA==", "key_id": "AA"],
            "400 invalid_member attestation.attestation_object"
        ),
        (
            ["format": "apple-appattest", "attestation_object": "AA", "key_id": "AA"],
            "400 invalid_member attestation.key_id"
        ),
        (
            ["format": "apple-appattest", "attestation_object": "", "key_id": .string(Self.keyID)],
            "400 invalid_member attestation.attestation_object"
        ),
        (
            [
                "format": "apple-appattest", "key_id": .string(Self.keyID),
                "attestation_object": .string(Base64URL.encode([UInt8](repeating: 1, count: 24 * 1024 + 1))),
            ], "400 invalid_member attestation.attestation_object"
        ),
        (
            ["format": "apple-appattest", "attestation_object": "AA", "key_id": .string(Self.keyID)],
            "403 attestation_invalid"
        ),
        (["format": "android-key"], "400 missing_member attestation.x5c"),
        (["format": "android-key", "x5c": "AA"], "400 invalid_member attestation.x5c"),
        (["format": "android-key", "x5c": [1]], "400 invalid_member attestation.x5c"),
        (["format": "android-key", "x5c": ["AA", ""]], "400 invalid_member attestation.x5c"),
        (
            ["format": "android-key", "x5c": [.string(Base64URL.encode([UInt8](repeating: 1, count: 4097)))]],
            "400 invalid_member attestation.x5c"
        ),
        (
            ["format": "android-key", "x5c": ["AA", "AA", "AA", "AA", "AA", "AA", "AA"]],
            "400 invalid_member attestation.x5c"
        ),
        (["format": "android-key", "x5c": []], "403 attestation_invalid"),
        (["format": "android-key", "x5c": ["AA"]], "403 attestation_invalid"),
    ]

    private static let keyID = Base64URL.encode([UInt8](repeating: 1, count: 32))

    @Test func `malformed statements are refused`() async throws {
        let stage = try await Self.start("optional")
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.login(phone)
        for (attestation, expected) in Self.bodies {
            let answer = try await phone.send { try phone.beginning(app, attestation: attestation) }
            let found = [answer.brief, answer.json?["member"]?.string].compactMap { $0 }.joined(separator: " ")
            #expect(found == expected, "\(String(decoding: attestation.encoded().prefix(100), as: UTF8.self))")
        }
        // An app may be newer than the server.
        var newer = try #require(try Self.attestation(.iPhone, phone, app)?.object)
        newer["receipt"] = "AA"
        let begun = try await phone.send { try phone.beginning(app, attestation: .object(newer)) }
        #expect(begun.json?["ignored_members"] == ["attestation.receipt"])
        await stage.stop()
    }

    // MARK: - What is told

    /// The verdicts are in the log and in the metrics, and nothing that identifies a phone is.
    @Test func `verdicts are counted`() async throws {
        let stage = try await Self.start("optional", listAge: 30)
        var sent: [String] = []
        for kind in [AttestingPhone.nothing, .iPhone, .iPhoneOfAnotherApp, .android, .revokedAndroid] {
            let phone = try SessionPhone(stage.server.url)
            let app = try await stage.login(phone)
            let attestation = try Self.attestation(kind, phone, app)
            _ = try await phone.send { try phone.beginning(app, attestation: attestation) }
            sent += [attestation?["key_id"]?.string, attestation?["attestation_object"]?.string].compactMap { $0 }
            sent += (attestation?["x5c"]?.array ?? []).compactMap(\.string)
        }
        let metrics = try await TestClient.send("GET", "\(stage.server.operations)/metrics").text
        for (format, verdict) in [
            ("none", "missing"), ("apple-appattest", "accepted"), ("apple-appattest", "wrong_app"),
            ("android-key", "accepted"), ("android-key", "revoked"),
        ] {
            let name = "switchback_attestations_total{app=\"demo\",format=\"\(format)\",verdict=\"\(verdict)\"} 1"
            #expect(metrics.contains(name), "\(name)")
        }
        #expect(metrics.contains("\nswitchback_attestation_status_list_timestamp_seconds 1"))
        await stage.stop()
        let log = stage.server.log.text
        for line in ["attested", "attestation_refused", "attestation_missing"] {
            #expect(log.contains("\"session_\(line)\""), "\(line)")
        }
        #expect(log.contains("status_list_old"), "an old list is a warning at each phone")
        #expect(sent.count >= 8)
        for text in sent { #expect(!log.contains(text)) }
    }
}
