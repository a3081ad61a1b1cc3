import EndToEndSupport
import Testing

/// A mismatch between us and a foreign provider, and where it stops the login.
struct ForeignRefusal: Sendable, CustomTestStringConvertible {
    enum Stop: Equatable, Sendable {
        /// The provider refuses our pushed request, so the browser does not go there. The value is the error in the
        /// log.
        case push(String)
        /// The provider shows an error page of its own, and we get no response.
        case page
        /// The response that returns matches no login.
        case state
        /// We refuse the response and do not exchange its code. The values are the app's reason and the error in the
        /// log.
        case answer(String, String)
        /// The same after the token request.
        case token(String, String)
    }

    let variant: ForeignVariant
    let stop: Stop

    var testDescription: String { self.variant.name }

    private init(_ variant: ForeignVariant, _ stop: Stop) { (self.variant, self.stop) = (variant, stop) }

    private init(_ program: ForeignProgram, _ how: BrokerVariant, _ stop: Stop) {
        self.init(ForeignVariant(program: program, how: how), stop)
    }

    /// The app's reason; nil when the login stays open, until the user tries again or it expires.
    var reason: String? {
        switch self.stop {
        // An OAuth error is permanent, and so are 401 and 403; anything else may be temporary.
        case .push(let error): Self.isForGood(error) ? "broker_error" : nil
        case .page, .state: nil
        case .answer(let reason, _), .token(let reason, _): reason
        }
    }

    static func isForGood(_ error: String) -> Bool {
        error.hasPrefix("par_error_") || error == "par_status_401" || error == "par_status_403"
    }

    /// The validation errors in the log, or the prefix of each.
    var brokerErrors: [String] {
        switch self.stop {
        case .page: []
        case .state: ["state"]
        case .push(let error), .answer(_, let error), .token(_, let error): [error]
        }
    }

    var tokenRequests: Int {
        switch self.stop {
        case .push, .page, .state, .answer: 0
        case .token: 1
        }
    }
}

// MARK: - All of them

extension ForeignRefusal {
    static let all = Self.strangers + Self.oddities

    /// The provider knows a different secret or key than the one we use.
    private static let strangers: [Self] =
        ["client_secret_basic", "private_key_jwt"].map {
            Self.stranger(.canaille, BrokerVariant(authentication: $0), Self.invalidClient)
        }
        + ["client_secret_basic", "client_secret_jwt", "private_key_jwt"].flatMap {
            [
                Self.stranger(.idpyoidc, BrokerVariant(authentication: $0), Self.invalidClient),
                // It refuses an assertion with a status and no error code.
                Self.stranger(
                    .glewlwyd, BrokerVariant(authentication: $0),
                    .token(
                        "broker_error",
                        $0 == "client_secret_basic" ? "token_error_unauthorized_client" : "token_status_403")),
            ]
        }
        + [
            Self.stranger(.canaille, BrokerVariant(requestStyle: "jar"), .page),
            Self.stranger(.idpyoidc, BrokerVariant(requestStyle: "jar"), .page),
            // It ignores everything in such a request, and responds without the state.
            Self.stranger(.glewlwyd, BrokerVariant(requestStyle: "jar"), .state),
            Self.stranger(.idpyoidc, BrokerVariant(requestStyle: "par"), .push("par_error_invalid_client")),
            Self.stranger(.glewlwyd, BrokerVariant(requestStyle: "par"), .push("par_status_403")),
            Self.stranger(.idpyoidc, BrokerVariant(requestStyle: "par+jar"), .push("par_error_invalid_request_object")),
            Self.stranger(.glewlwyd, BrokerVariant(requestStyle: "par+jar"), .push("par_status_403")),
        ]

    /// The provider does not authenticate us (RFC 6749 §5.2).
    private static let invalidClient = Stop.token("broker_error", "token_error_invalid_client")

    private static func stranger(_ program: ForeignProgram, _ how: BrokerVariant, _ stop: Stop) -> Self {
        Self(ForeignVariant(program: program, how: how, credentials: .wrong), stop)
    }

    /// Cases in which the provider deviates from a standard.
    private static let oddities: [Self] = [
        // They do not support JARM, and we did not request the plain response that they send.
        Self(.canaille, BrokerVariant(responseMode: "query.jwt"), .state),
        Self(.idpyoidc, BrokerVariant(responseMode: "query.jwt"), .state),
        // It percent-encodes `iss` in the form, and the browser encodes it again (RFC 9207 §2.4).
        Self(.glewlwyd, BrokerVariant(responseMode: "form_post"), .answer("invalid_response", "response_issuer")),
        // It looks for `auth_time` in the session of the token request's sender.
        Self(
            ForeignVariant(program: .glewlwyd, isUnaided: true), .token("not_fresh", "id_token_auth_time_too_old")),
        // Its signed userinfo has a type of its own, and names no audience (Core 5.3.2).
        Self(.glewlwyd, BrokerVariant(userinfo: "signed"), .token("invalid_token", "userinfo_type")),
        // It hashes once, which gives half of such a key (RFC 7518 §4.6.2). The error ends in `malformed` where it
        // drops a leading zero (see `tries`).
        Self(.glewlwyd, BrokerVariant(encryption: "ECDH-ES A256CBC-HS512"), .token("invalid_token", "id_token_")),
        // Its initialization vector has 128 bits instead of 96 (RFC 7518 §5.3).
        Self(.idpyoidc, BrokerVariant(encryption: "RSA-OAEP A128GCM"), .token("invalid_token", "id_token_malformed")),
        Self(
            .idpyoidc, BrokerVariant(encryption: "ECDH-ES+A128KW A128CBC-HS256"),
            .token("invalid_token", "id_token_decryption")),
    ]
}
