/// The response of a token endpoint (RFC 6749 §5, Core 3.1.3.3). Its ID token is not validated yet.
import Base
import StrictJSON

package struct TokenResponse: Sendable {
    package let idToken: String
    /// Nil or a token that can be sent as a Bearer token.
    package let accessToken: Secret?

    /// Ignores `expires_in`, `scope` and the rest, because no token outlives the login.
    package init(_ body: [UInt8]) throws(TokenResponseError) {
        let limits = JSON.Limits(byteCount: ProviderResponse.sizeLimit)
        guard let json = try? JSON(parsing: body, limits: limits), let members = json.object else { throw .malformed }
        guard let idToken = members["id_token"] else { throw .idTokenMissing }
        guard let text = idToken.string, !text.isEmpty else { throw .malformed }
        self.idToken = text
        self.accessToken = try members["access_token"].map { value throws(TokenResponseError) in
            try Self.accessToken(value, type: members["token_type"])
        }
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

// MARK: - The members

extension TokenResponse {
    /// RFC 6749 §7.1: a client must not use a token of a type that it does not know. The type's case does not matter.
    private static func accessToken(_ value: JSON, type: JSON?) throws(TokenResponseError) -> Secret {
        guard let token = value.string, (1...16384).contains(token.utf8.count),
            token.utf8.allSatisfy({ $0.isVisibleOrSpace && $0 != 0x20 })
        else { throw .malformed }
        guard type?.string?.lowercased() == "bearer" else { throw .tokenType }
        return Secret(token)
    }
}

extension TokenResponse: RedactedDescription {}

/// Why a token endpoint's response contained no usable tokens.
package enum TokenResponseError: Error, Equatable, Sendable {
    case refused(ProviderResponseError)
    case malformed
    case idTokenMissing
    /// Not `Bearer`.
    case tokenType

    package var raw: String {
        switch self {
        case .refused(let error): "token_\(error.raw)"
        case .malformed: "token_malformed"
        case .idTokenMissing: "token_id_token_missing"
        case .tokenType: "token_type"
        }
    }
}
