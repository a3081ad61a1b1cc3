import Testing

/// One way to use a broker: client authentication, response mode, request style and algorithms.
package struct BrokerVariant: Sendable, CustomTestStringConvertible {
    package var kind: String
    package var authentication: String
    package var responseMode: String
    package var requestStyle: String
    package var idTokenAlgorithm: String
    package var signingAlgorithm: String
    /// The receiver of the response: `backend`, or `app` or `scheme` for a link that the app hands in.
    package var callback: String
    /// For example `RSA-OAEP A128GCM`; nil for an ID token that is only signed.
    package var encryption: String?
    /// `json`, `signed` or `encrypted`.
    package var userinfo: String

    package init(
        kind: String = "oidc", authentication: String = "client_secret_basic", responseMode: String = "query",
        requestStyle: String = "plain", idTokenAlgorithm: String = "RS256", signingAlgorithm: String = "ES256",
        callback: String = "backend", encryption: String? = nil, userinfo: String = "json"
    ) {
        self.kind = kind
        self.authentication = authentication
        self.responseMode = responseMode
        self.requestStyle = requestStyle
        self.idTokenAlgorithm = idTokenAlgorithm
        self.signingAlgorithm = signingAlgorithm
        self.callback = callback
        self.encryption = encryption
        self.userinfo = userinfo
    }

    /// A short name for the variant's broker and provider, different for each variant.
    package var name: String {
        let hash = self.testDescription.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return "v" + String(hash, radix: 16)
    }

    package var testDescription: String {
        let words =
            [self.authentication, self.responseMode, self.requestStyle, self.idTokenAlgorithm, self.signingAlgorithm]
            + (self.kind == "oidc" ? [] : [self.kind]) + (self.callback == "backend" ? [] : [self.callback])
            + [self.encryption].compactMap { $0 }
            + (self.userinfo == "json" ? [] : [self.userinfo])
        return words.joined(separator: " ")
    }

    package var isForm: Bool { self.responseMode.hasPrefix("form_post") }

    package var usesSecret: Bool { self.authentication.hasPrefix("client_secret") }

    /// All authentication methods, response modes, request styles and algorithms; each neighbouring pair occurs at
    /// least once.
    package static let all: [BrokerVariant] = ["client_secret_basic", "client_secret_post", "private_key_jwt"].flatMap {
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
    package static let more: [BrokerVariant] =
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

    package static let query = BrokerVariant()
    package static let formPost = BrokerVariant(responseMode: "form_post")
    package static let app = BrokerVariant(callback: "app")
    /// DigiD, where we make the request, and the sandbox verifies it.
    package static let digid = BrokerVariant(kind: "digid", signingAlgorithm: "RS256", callback: "app")
}
