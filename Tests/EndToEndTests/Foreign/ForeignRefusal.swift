/// Something that a foreign provider does, or that is done to it, and where the login stops.
import Testing

struct ForeignRefusal: Sendable, CustomTestStringConvertible {
    enum Stop: Equatable, Sendable {
        /// The provider takes no pushed request of ours, and nobody is sent there. What the log says.
        case push(String)
        /// The provider shows a page of its own, and we hear nothing.
        case page
        /// Nobody can say whose answer it is that comes back.
        case state
        /// The answer is refused, and its code goes nowhere. The app's reason, and what the log says.
        case answer(String, String)
        /// The same, after the token request.
        case token(String, String)
    }

    let variant: ForeignVariant
    let stop: Stop

    var testDescription: String { self.variant.name }

    private init(_ variant: ForeignVariant, _ stop: Stop) { (self.variant, self.stop) = (variant, stop) }

    private init(_ program: ForeignProgram, _ how: BrokerVariant, _ stop: Stop) {
        self.init(ForeignVariant(program: program, how: how), stop)
    }

    /// The app's reason; nil when the login stays open, for whoever tries again or until its time is up.
    var reason: String? {
        switch self.stop {
        // An OAuth error says no for good, and so do 401 and 403; anything else may pass.
        case .push(let error): Self.isForGood(error) ? "broker_error" : nil
        case .page, .state: nil
        case .answer(let reason, _), .token(let reason, _): reason
        }
    }

    static func isForGood(_ error: String) -> Bool {
        error.hasPrefix("par_error_") || error == "par_status_401" || error == "par_status_403"
    }

    /// Which rule was broken, as the log has it, or how that begins.
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

    /// The provider knows another secret or key of ours than we use.
    private static let strangers: [Self] =
        ["client_secret_basic", "private_key_jwt"].map {
            Self.stranger(.canaille, BrokerVariant(authentication: $0), Self.invalidClient)
        }
        + ["client_secret_basic", "client_secret_jwt", "private_key_jwt"].flatMap {
            [
                Self.stranger(.idpyoidc, BrokerVariant(authentication: $0), Self.invalidClient),
                // To an assertion it gives a status and says nothing.
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
            // It believes nothing of such a request, and answers without the state.
            Self.stranger(.glewlwyd, BrokerVariant(requestStyle: "jar"), .state),
            Self.stranger(.idpyoidc, BrokerVariant(requestStyle: "par"), .push("par_error_invalid_client")),
            Self.stranger(.glewlwyd, BrokerVariant(requestStyle: "par"), .push("par_status_403")),
            Self.stranger(.idpyoidc, BrokerVariant(requestStyle: "par+jar"), .push("par_error_invalid_request_object")),
            Self.stranger(.glewlwyd, BrokerVariant(requestStyle: "par+jar"), .push("par_status_403")),
        ]

    /// RFC 6749 §5.2.
    private static let invalidClient = Stop.token("broker_error", "token_error_invalid_client")

    private static func stranger(_ program: ForeignProgram, _ how: BrokerVariant, _ stop: Stop) -> Self {
        Self(ForeignVariant(program: program, how: how, credentials: .wrong), stop)
    }

    /// Where the provider and a standard are of two minds.
    private static let oddities: [Self] = [
        // They know no JARM, and a plain answer is none of those that we asked for.
        Self(.canaille, BrokerVariant(responseMode: "query.jwt"), .state),
        Self(.idpyoidc, BrokerVariant(responseMode: "query.jwt"), .state),
        // RFC 9207 §2.4: it percent-encodes `iss` for the form, and the browser does it once more.
        Self(.glewlwyd, BrokerVariant(responseMode: "form_post"), .answer("invalid_response", "response_issuer")),
        // It looks for `auth_time` in the session of whoever sends the token request.
        Self(
            ForeignVariant(program: .glewlwyd, isUnaided: true), .token("not_fresh", "id_token_auth_time_too_old")),
        // Core 5.3.2: its signed userinfo is of a type of its own, and names no audience.
        Self(.glewlwyd, BrokerVariant(userinfo: "signed"), .token("invalid_token", "userinfo_type")),
        // RFC 7518 §4.6.2: it hashes once, which is half of such a key. `malformed` where it is as in `tries`.
        Self(.glewlwyd, BrokerVariant(encryption: "ECDH-ES A256CBC-HS512"), .token("invalid_token", "id_token_")),
        // RFC 7518 §5.3: 96 bits, not the 128 that it takes.
        Self(.idpyoidc, BrokerVariant(encryption: "RSA-OAEP A128GCM"), .token("invalid_token", "id_token_malformed")),
        Self(
            .idpyoidc, BrokerVariant(encryption: "ECDH-ES+A128KW A128CBC-HS256"),
            .token("invalid_token", "id_token_decryption")),
    ]
}
