import Base

/// The authorization response that the browser delivered, checked against our request.
///
/// Only this type reads a code from parameters, so no one can exchange an unchecked code by accident.
package enum AuthorizationResponse: Equatable, Sendable {
    case granted(code: Secret)
    case denied(OAuthError)

    /// The parameters that we read.
    static let names: Set = ["code", "state", "iss", "error", "error_description"]
    /// The parameters that decide the outcome.
    package static let decisive: Set = ["code", "state", "iss", "error", "response"]

    /// Validates by RFC 6749 §4.1.2 and RFC 9207. `promised` says whether the provider's metadata promises `iss`.
    /// `signed` is set for a client that asked for a signed response (JARM).
    ///
    /// `state` must have our MAC already.
    package static func validate(
        _ parameters: [Parameter], state: String, issuer: String, issuerPolicy: IssuerPolicy,
        promised isPromised: Bool, signed verifier: JARMVerifier? = nil
    ) async throws(VerificationError<AuthorizationResponseError>) -> Self {
        let members = try await verifier?.parameters(in: parameters, state: state) ?? parameters
        do throws(AuthorizationResponseError) {
            return try Self(
                members, state: state, issuer: issuer, issuerPolicy: issuerPolicy, isPromised: isPromised)
        } catch {
            throw .rule(error)
        }
    }

    private init(
        _ parameters: [Parameter], state: String, issuer: String, issuerPolicy: IssuerPolicy, isPromised: Bool
    ) throws(AuthorizationResponseError) {
        // The state comes first: before that we trust nothing, not even an error (RFC 6749 §10.12).
        try Self.check(state, among: parameters)
        try Self.refuseDoubt(in: parameters)

        let values = Dictionary(parameters.map { ($0.name, $0.value) }) { first, _ in first }
        // `JARMVerifier` unwraps signed parameters, and only for clients that ask for them.
        guard values["response"] == nil else { throw .responseUnasked }

        let isDenied = values["error"] != nil
        let mustName = issuerPolicy.demandsIssuer(isDenied: isDenied, isPromised: isPromised)
        try Self.check(issuer, against: values["iss"], mustName: mustName)

        switch (values["code"], values["error"]) {
        case (let code?, nil): self = .granted(code: try Self.checked(code))
        case (nil, let error?):
            self = .denied(OAuthError(code: error, description: values["error_description"]))
        case (nil, nil), (_?, _?): throw .codeOrError
        }
    }
}

// MARK: - The checks

extension AuthorizationResponse {
    /// One right state is enough to show that it is ours. `refuseDoubt` reports a second one.
    private static func check(_ state: String, among parameters: [Parameter]) throws(AuthorizationResponseError) {
        let expectedState = Secret(state)
        let isOurs = parameters.contains { $0.name == "state" && Secret($0.value) == expectedState }
        guard isOurs, !state.isEmpty else { throw .state }
    }

    /// A parameter that decides something comes once (RFC 6749 §3.1) and can be decoded. Others are ignored, however
    /// often they come (RFC 6749 §4.1.2).
    private static func refuseDoubt(in parameters: [Parameter]) throws(AuthorizationResponseError) {
        var names: Set<String> = []
        for parameter in parameters where Self.decisive.contains(parameter.name) {
            guard names.insert(parameter.name).inserted else { throw .repeatedParameter }
            guard !parameter.isUnreadable else { throw .unreadableParameter }
        }
    }

    /// RFC 9207 §2.4: uses simple string comparison.
    private static func check(_ issuer: String, against namedIssuer: String?, mustName: Bool)
        throws(AuthorizationResponseError)
    {
        guard let namedIssuer else {
            guard !mustName else { throw .issuerMissing }
            return
        }
        guard identical(namedIssuer, issuer) else { throw .issuer }
    }

    /// RFC 6749 appendix A.11: one or more VSCHAR. The upper limit is ours.
    private static func checked(_ code: String) throws(AuthorizationResponseError) -> Secret {
        guard (1...4096).contains(code.utf8.count), code.isVisibleOrSpace else { throw .code }
        return Secret(code)
    }
}

extension IssuerPolicy {
    fileprivate func demandsIssuer(isDenied: Bool, isPromised: Bool) -> Bool {
        switch self {
        case .require: true
        case .successOnly: !isDenied
        case .promised: isPromised
        case .promisedOnSuccess: isPromised && !isDenied
        case .optional: false
        }
    }
}

/// When an authorization response must name its issuer (RFC 9207). If it names one, that must always be right.
package enum IssuerPolicy: CaseIterable, Sendable {
    /// In every response.
    case require
    /// In a response with a code. An error may come without it, even if the provider promises `iss`.
    case successOnly
    /// When the provider promises it (RFC 9207 §2.4).
    case promised
    /// In a response with a code, when the provider promises it.
    case promisedOnSuccess
    /// Never, even if the provider promises it.
    case optional
}
