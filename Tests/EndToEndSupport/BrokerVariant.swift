/// One way to use a broker: client authentication, response mode, request style and algorithms.
import Testing

struct BrokerVariant: Sendable, CustomTestStringConvertible {
    var kind = "oidc"
    var authentication = "client_secret_basic"
    var responseMode = "query"
    var requestStyle = "plain"
    var idTokenAlgorithm = "RS256"
    var signingAlgorithm = "ES256"
    /// The receiver of the response: `backend`, or `app` or `scheme` for a link that the app hands in.
    var callback = "backend"
    /// For example `RSA-OAEP A128GCM`; nil for an ID token that is only signed.
    var encryption: String?
    /// `json`, `signed` or `encrypted`.
    var userinfo = "json"

    /// A short name for the variant's broker and provider, different for each variant.
    var name: String {
        let hash = self.testDescription.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return "v" + String(hash, radix: 16)
    }

    var testDescription: String {
        let words =
            [self.authentication, self.responseMode, self.requestStyle, self.idTokenAlgorithm, self.signingAlgorithm]
            + (self.kind == "oidc" ? [] : [self.kind]) + (self.callback == "backend" ? [] : [self.callback])
            + [self.encryption].compactMap { $0 }
            + (self.userinfo == "json" ? [] : [self.userinfo])
        return words.joined(separator: " ")
    }

    var isForm: Bool { self.responseMode.hasPrefix("form_post") }

    var usesSecret: Bool { self.authentication.hasPrefix("client_secret") }

    /// All authentication methods, response modes, request styles and algorithms; each neighbouring pair occurs at
    /// least once.
    static let all: [BrokerVariant] = ["client_secret_basic", "client_secret_post", "private_key_jwt"].flatMap {
        method in
        ["query", "form_post"].flatMap { mode in
            ["plain", "jar"].flatMap { style in
                ["RS256", "ES256"].map { algorithm in
                    BrokerVariant(
                        authentication: method, responseMode: mode, requestStyle: style, idTokenAlgorithm: algorithm,
                        signingAlgorithm: algorithm == "RS256" ? "ES256" : "RS256")
                }
            }
        }
    }

    /// Later variants: pushed requests, signed responses, secrets as keys, encryption, a link to the app.
    static let more: [BrokerVariant] =
        ["par", "par+jar"].flatMap { style in
            ["client_secret_basic", "client_secret_jwt", "private_key_jwt"].map {
                BrokerVariant(authentication: $0, responseMode: "form_post", requestStyle: style)
            }
        }
        + ["RS256", "PS256", "ES256", "HS256"].flatMap { algorithm in
            ["jar", "par+jar"].map { BrokerVariant(requestStyle: $0, signingAlgorithm: algorithm) }
        }
        + ["query.jwt", "form_post.jwt"].flatMap { mode in
            ["RS256", "PS256", "ES256"].map { BrokerVariant(responseMode: mode, idTokenAlgorithm: $0) }
        }
        + [
            "RSA-OAEP A256GCM", "RSA-OAEP-256 A128CBC-HS256", "ECDH-ES A128GCM", "ECDH-ES+A128KW A256CBC-HS512",
            "ECDH-ES+A256KW A256GCM",
        ].map { BrokerVariant(encryption: $0, userinfo: "encrypted") }
        + [
            BrokerVariant(userinfo: "signed"), BrokerVariant(callback: "app"),
            BrokerVariant(responseMode: "query.jwt", callback: "app"),
            BrokerVariant(requestStyle: "par", callback: "app"),
        ]

    static let query = BrokerVariant()
    static let formPost = BrokerVariant(responseMode: "form_post")
    static let app = BrokerVariant(callback: "app")
}
