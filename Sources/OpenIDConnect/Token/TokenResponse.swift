import Base
import StrictJSON

/// The response of a token endpoint (RFC 6749 §5, Core 3.1.3.3). Its ID token is not validated yet.
package struct TokenResponse: Sendable {
    package let idToken: String
    /// As it came: `at_hash` is checked against it whether we use it or not. `bearerToken` judges it.
    package let accessToken: Secret?
    /// Set instead of the token in a response that was stored without it.
    package let accessTokenHashes: AccessTokenHashes?
    private let tokenType: String?

    /// Ignores `expires_in`, `scope` and the rest, because no token outlives the login.
    package init(_ body: [UInt8]) throws(TokenResponseError) {
        let limits = JSON.Limits(byteCount: ProviderResponse.sizeLimit)
        guard let json = try? JSON(parsing: body, limits: limits), let members = json.object?.withoutNulls else {
            throw .refused(.malformed)
        }
        guard let idToken = members["id_token"] else { throw .idTokenMissing }
        guard let text = idToken.string, !text.isEmpty else { throw .refused(.malformed) }
        self.idToken = text
        self.accessToken = try members["access_token"].map { value throws(TokenResponseError) in
            guard let token = value.string else { throw .refused(.malformed) }
            return Secret(token)
        }
        self.accessTokenHashes = members[Self.hashesName].flatMap { AccessTokenHashes($0) }
        self.tokenType = members["token_type"]?.string
    }

    package static func validate(_ response: ProviderResponse) throws(TokenResponseError) -> Self {
        do throws(ProviderResponseError) {
            try response.check(success: 200)
        } catch {
            throw .refused(error)
        }
        return try Self(response.body)
    }
}

// MARK: - The access token

extension TokenResponse {
    /// Returns the access token as one that can be sent as a Bearer token (RFC 6750 §2.1); nil if there is none.
    ///
    /// RFC 6749 §7.1: a client must not use a token of a type that it does not know. The type's case does not matter.
    package func bearerToken() throws(TokenResponseError) -> Secret? {
        guard let token = self.accessToken else { return nil }
        let isSendable = token.exposed.allSatisfy { $0.isVisibleOrSpace && $0 != 0x20 }
        guard !token.exposed.isEmpty, isSendable else { throw .refused(.malformed) }
        guard self.tokenType?.lowercased() == "bearer" else { throw .tokenType }
        return token
    }

    /// Not a name of OAuth's, and read only from what we have stored ourselves.
    private static let hashesName = "switchback_at_hashes"

    /// Returns what a later step needs, to be stored: no refresh token, and the access token only if it will be used.
    package func stored(withAccessToken: Bool) -> [UInt8] {
        var members: JSON.Object = ["id_token": .string(self.idToken)]
        if let accessToken = self.accessToken {
            if withAccessToken {
                members["access_token"] = .string(accessToken.exposedText)
                members["token_type"] = self.tokenType.map(JSON.string)
            } else {
                members[Self.hashesName] = AccessTokenHashes(of: accessToken).json
            }
        }
        return JSON.object(members).encoded()
    }
}

extension TokenResponse: RedactedDescription {}

/// Why a token endpoint's response contained no usable tokens.
package enum TokenResponseError: Error, Equatable, Sendable {
    case refused(ProviderResponseError)
    case idTokenMissing
    /// Not `Bearer`.
    case tokenType

    /// The provider's own error code, if it sent one.
    package var word: ErrorWord? {
        guard case .refused(let error) = self else { return nil }
        return error.word
    }

    package var raw: String {
        switch self {
        case .refused(let error): "token_\(error.raw)"
        case .idTokenMissing: "token_id_token_missing"
        case .tokenType: "token_type"
        }
    }
}
