import Base
import JOSE
import OpenIDConnect
import StrictJSON
import Testing

/// One userinfo response of the table, and its expected error.
struct UserInfoCase: Sendable, CustomTestStringConvertible {
    /// A response before it is signed.
    struct Minted {
        var header: JSON.Object = ["alg": "RS256", "kid": "rsa"]
        var claims: JSON.Object = [
            "sub": "{x-1}", "name": "A", "iss": "https://id.example", "aud": "app", "exp": 1_800_000_300,
        ]
        var payload: [UInt8]?
        var status = 200
        var contentType: String? = "application/jwt"
        var rules = UserInfoCase.rules(formats: [.signed])
        /// Changes the JWT on its way.
        var change: (String) throws -> String = { $0 }

        func response() throws -> ProviderResponse {
            let payload = self.payload ?? JSON.object(self.claims).encoded()
            let compact = try self.change(OpenIDConnectTests.Minted.sign(self.header, payload, "rsa", .rs256))
            return ProviderResponse(status: self.status, contentType: self.contentType, body: Array(compact.utf8))
        }

        /// Encrypts the JWT, as agreed.
        mutating func encrypt(
            _ encryption: ContentEncryption = .a256GCM, keyID: String = "enc", contentType: String? = "JWT"
        ) {
            self.rules = UserInfoCase.rules(formats: [.encrypted])
            self.change = { try Encrypted.token($0, encryption, keyID: keyID, contentType: contentType) }
        }
    }

    /// The module of the OpenID conformance suite, if there is one.
    let testDescription: String
    let expected: UserInfoError?
    let change: @Sendable (inout Minted) throws -> Void

    init(_ name: String, _ expected: UserInfoError?, _ change: @escaping @Sendable (inout Minted) throws -> Void) {
        self.testDescription = name
        self.expected = expected
        self.change = change
    }

    static func rules(formats: Set<UserInfoRules.Format>, now: Timestamp = Example.now) -> UserInfoRules {
        UserInfoRules(
            issuer: Example.issuer, clientID: Example.clientID, formats: formats, algorithms: [.rs256, .es256],
            decrypter: try? Encrypted.decrypter(), leeway: 30, now: now)
    }

    static func judge(
        _ response: ProviderResponse, subject: String = "{x-1}", rules: UserInfoRules = Self.rules(formats: [.json])
    ) async throws -> Result<UserInfo, UserInfoError> {
        let directory = ScriptedProvider(keys: try TestKeys.shared().published).directory(ManualClock())
        do throws(UserInfoError) {
            return .success(
                try await UserInfo.validate(response, subject: subject, rules: rules, directory: directory))
        } catch {
            return .failure(error)
        }
    }

    func judge() async throws -> Result<UserInfo, UserInfoError> {
        var minted = Minted()
        try self.change(&minted)
        return try await Self.judge(minted.response(), rules: minted.rules)
    }
}
