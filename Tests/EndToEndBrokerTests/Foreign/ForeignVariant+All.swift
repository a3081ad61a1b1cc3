// Every way to log in that each foreign provider supports.
import EndToEndSupport

extension ForeignVariant {
    /// Each variant once, even where two lists contain it.
    static let all = ForeignProgram.allCases.flatMap { program in
        Self.hows(program).map { Self(program: program, how: $0) }
    }
    .reduce(into: [Self]()) { all, variant in
        if !all.contains(where: { $0.name == variant.name }) { all.append(variant) }
    }

    private static let algorithms = ["RS256", "PS256", "ES256"]

    private static func hows(_ program: ForeignProgram) -> [BrokerVariant] {
        switch program {
        case .canaille: Self.canaille
        case .glewlwyd: Self.glewlwyd
        case .idpyoidc: Self.idpyoidc
        }
    }

    /// Plain and signed requests. Canaille responds in the query, even to a request for a form post.
    private static let canaille =
        BrokerVariant.all.filter { $0.authentication != "client_secret_post" && $0.responseMode == "query" }
        + [
            BrokerVariant(authentication: "client_secret_post"), BrokerVariant(responseMode: "form_post"),
            BrokerVariant(idTokenAlgorithm: "PS256"), BrokerVariant(requestStyle: "jar", signingAlgorithm: "PS256"),
            BrokerVariant(userinfo: "signed"), BrokerVariant(idTokenAlgorithm: "ES256", userinfo: "signed"),
        ]

    /// Nearly all variants, except a form post that is not signed.
    private static let glewlwyd =
        ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"].map {
            BrokerVariant(authentication: $0)
        }
        + ["PS256", "ES256"].map { BrokerVariant(idTokenAlgorithm: $0) }
        + [
            BrokerVariant(requestStyle: "par"),
            BrokerVariant(authentication: "client_secret_post", requestStyle: "par"),
        ]
        + ["client_secret_jwt", "private_key_jwt"].flatMap { method in
            ["par", "par+jar"].map { BrokerVariant(authentication: method, requestStyle: $0) }
        }
        + Self.signedRequests
        + ["query.jwt", "form_post.jwt"].flatMap { mode in
            Self.algorithms.map { BrokerVariant(responseMode: mode, idTokenAlgorithm: $0) }
                + ["jar", "par", "par+jar"].map { BrokerVariant(responseMode: mode, requestStyle: $0) }
        }
        + [
            "RSA-OAEP A128CBC-HS256", "RSA-OAEP-256 A256GCM", "ECDH-ES A128GCM", "ECDH-ES A128CBC-HS256",
            "ECDH-ES+A128KW A256CBC-HS512", "ECDH-ES+A256KW A256GCM",
        ].map { BrokerVariant(encryption: $0) }
        + [
            BrokerVariant(
                responseMode: "form_post.jwt", requestStyle: "jar", idTokenAlgorithm: "PS256",
                encryption: "ECDH-ES A128GCM"),
            BrokerVariant(authentication: "private_key_jwt", responseMode: "query.jwt", requestStyle: "jar"),
        ]

    /// All variants except signed responses. Its ECDH-ES wraps no keys, and its GCM uses initialization vectors of a
    /// length that no JWE has.
    private static let idpyoidc =
        BrokerVariant.all.filter { $0.authentication != "client_secret_post" }
        + ["client_secret_post", "client_secret_jwt"].map { BrokerVariant(authentication: $0) }
        + [BrokerVariant(idTokenAlgorithm: "PS256")]
        + ["query", "form_post"].map { BrokerVariant(responseMode: $0, requestStyle: "par") }
        + ["client_secret_post", "client_secret_jwt", "private_key_jwt"].flatMap { method in
            ["par", "par+jar"].map { BrokerVariant(authentication: method, requestStyle: $0) }
        }
        + Self.signedRequests
        + [
            "RSA-OAEP A128CBC-HS256", "RSA-OAEP-256 A256CBC-HS512", "ECDH-ES A128CBC-HS256", "ECDH-ES A256CBC-HS512",
        ].map { BrokerVariant(encryption: $0) }
        + [
            BrokerVariant(userinfo: "signed"),
            BrokerVariant(encryption: "RSA-OAEP A256CBC-HS512", userinfo: "encrypted"),
            BrokerVariant(idTokenAlgorithm: "ES256", encryption: "ECDH-ES A128CBC-HS256", userinfo: "encrypted"),
        ]

    /// Signed requests, by value and pushed.
    private static let signedRequests = ["jar", "par+jar"].flatMap { style in
        (Self.algorithms + ["HS256"]).map { BrokerVariant(requestStyle: style, signingAlgorithm: $0) }
    }
}
