import Base
import JOSE
import Logins
import Synchronization

@testable import Sessions

/// The app, the login and the configuration of the tests.
enum Example {
    static let app = "demo"
    static let issuer = "https://login.example"
    static let audience = "https://api.example"
    static let url = "https://login.example/oauth/token"
    static let start = Timestamp(seconds: 1_800_000_000)
    static let subject = Secret("alva")
    static let key = SessionKey.make()

    static func after(_ seconds: Int) -> Timestamp { self.start + .seconds(seconds) }

    static func minutes(_ minutes: Int) -> Timestamp { self.after(60 * minutes) }

    static func days(_ days: Int) -> Timestamp { self.after(86_400 * days) }

    static let rules = SessionRules()

    static func rules(pinTries: Int = 5, lifetime: Int = 30, validFrom: Timestamp? = nil) -> SessionRules {
        var rules = SessionRules()
        rules.pinTries = pinTries
        rules.lifetime = .seconds(lifetime * 86_400)
        rules.validFrom = validFrom
        return rules
    }

    /// `completed` is in seconds after the start, and `kept` in seconds after that.
    static func login(
        _ thumbprint: String?, app: String = Self.app, eid: String? = "mitid", subject: Secret = Self.subject,
        acr: String? = "substantial", amr: [String] = ["code"], authTime: Timestamp? = Self.after(-5),
        proof: SameDeviceProof = .pageLink, completed: Int = 0, platform: String? = "ios",
        level: SessionLevel = .unlock, attestation: SessionAttestation = .none, kept: Int = 600,
        country: String? = nil, hasPermission: Bool = false
    ) -> CompletedLogin {
        CompletedLogin(
            app: app, provider: "mitid", eid: eid, country: country, subject: subject, acr: acr, amr: amr,
            authTime: authTime,
            proof: proof, completedAt: self.after(completed), keepUntil: self.after(completed + kept),
            platform: platform, thumbprint: thumbprint, level: level, hasPermission: hasPermission,
            attestation: attestation)
    }

    static func terms(
        app: String = Self.app, _ level: SessionLevel = .unlock, allowsCodeProof: Bool = false,
        allowsBearer: Bool = false
    ) -> SessionTerms {
        SessionTerms(
            app: app, audience: self.audience, level: level, allowsCodeProof: allowsCodeProof,
            allowsBearer: allowsBearer)
    }

    private static let signingKey = Result { try PrivateKey.generate(.p256) }

    static func signer() throws -> JWTSigner {
        try JWTSigner(key: self.signingKey.get(), algorithm: .es256, keyID: "access-1")
    }

    static func configuration(
        keys: [SessionKey] = [Self.key], terms: [SessionTerms] = [Self.terms()], rules: SessionRules = Self.rules
    ) throws -> SessionConfiguration {
        let signer = try self.signer()
        guard let keys = SessionKeys(keys), let jwk = signer.jwk else { throw StoreError.unavailable }
        return SessionConfiguration(
            issuer: self.issuer, keys: keys, signer: signer, verificationKeys: JWKSet([jwk]),
            terms: Dictionary(uniqueKeysWithValues: terms.map { ($0.app, $0) }), rules: rules)
    }
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ time: Timestamp = Example.start) { self.time = Mutex(time) }

    var now: Timestamp {
        get { self.time.withLock { $0 } }
        set { self.time.withLock { $0 = newValue } }
    }
}
