import Base
import JOSE
import OpenIDConnect
import StrictJSON
import Testing

/// One signed authorization response of the table: the change to a right one, and the validation error that it causes.
struct JARMCase: Sendable, CustomTestStringConvertible {

    /// A response before it is signed.
    struct Minted {
        var header: JSON.Object = ["alg": "RS256", "kid": "rsa"]
        var claims: JSON.Object = [
            "iss": "https://id.example", "aud": "app", "exp": 1_800_000_060, "code": "c", "state": "right",
        ]
        /// Replaces the claims.
        var payload: [UInt8]?
        var key = "rsa"
        var algorithm = SignatureAlgorithm.rs256
        var published: JWKSet
        /// Changes the JWT on its way.
        var change: (String) throws -> String = { $0 }
        /// What the browser brings, with the JWT as `response`.
        var brought: (String) -> [Parameter] = { [Parameter("response", $0)] }

        init() throws { self.published = try TestKeys.shared().published }

        mutating func sign(_ algorithm: SignatureAlgorithm, _ key: String) {
            self.algorithm = algorithm
            self.key = key
            self.header = ["alg": .string(algorithm.rawValue), "kid": .string(key)]
        }

        func compact() throws -> String {
            let payload = self.payload ?? JSON.object(self.claims).encoded()
            return try self.change(OpenIDConnectTests.Minted.sign(self.header, payload, self.key, self.algorithm))
        }
    }

    /// The module of the OpenID conformance suite, if there is one.
    let testDescription: String
    let expected: AuthorizationResponseError?
    let change: @Sendable (inout Minted) throws -> Void

    init(
        _ name: String, _ expected: AuthorizationResponseError?,
        _ change: @escaping @Sendable (inout Minted) throws -> Void
    ) {
        self.testDescription = name
        self.expected = expected
        self.change = change
    }

    static func rules(now: Timestamp = Example.now) -> JWTRules {
        JWTRules(
            issuer: Example.issuer, clientID: Example.clientID, algorithms: [.rs256, .es256], leeway: 30, now: now)
    }

    static func judge(
        _ brought: [Parameter], state: String = "right", rules: JWTRules = Self.rules(), directory: ProviderDirectory
    ) async throws(VerificationError<AuthorizationResponseError>) -> AuthorizationResponse {
        try await AuthorizationResponse.validate(
            brought, state: state, issuer: Example.issuer, issuerPolicy: .require, promised: true,
            signed: JARMVerifier(rules: rules, directory: directory))
    }

    func judge() async throws -> Result<AuthorizationResponse, AuthorizationResponseError> {
        var minted = try Minted()
        try self.change(&minted)
        let brought = minted.brought(try minted.compact())
        let directory = ScriptedProvider(keys: minted.published).directory(ManualClock())
        do throws(VerificationError<AuthorizationResponseError>) {
            return .success(try await Self.judge(brought, directory: directory))
        } catch {
            guard case .rule(let rule) = error else { throw error }
            return .failure(rule)
        }
    }
}
