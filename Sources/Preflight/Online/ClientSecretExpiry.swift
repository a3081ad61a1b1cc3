import Base
import OpenIDConnect
import StrictJSON

/// Reads when a client secret ends that is a JWT, as Apple's is: six months after it was made at most.
///
/// Source: Apple, "Creating a client secret". Nobody verifies the signature here: the secret is our own.
enum ClientSecretExpiry {
    /// Returns seconds since 1970; nil if there is no secret, or if it is no JWT with an `exp` (RFC 7519 §4.1.4).
    static func seconds(of authentication: ClientAuthentication) -> Int? {
        switch authentication {
        case .secretBasic(let secret, _), .secretPost(let secret): self.seconds(of: secret)
        case .secretJWT, .privateKeyJWT, .mutualTLS: nil
        }
    }

    private static func seconds(of secret: Secret) -> Int? {
        let parts = secret.exposedText.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSON(parsing: payload))?["exp"]?.integer
    }
}
