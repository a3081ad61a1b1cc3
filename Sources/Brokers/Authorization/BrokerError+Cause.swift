// What went wrong at a broker, and the words for it in the log and in docs/reference/errors.md.

import OpenIDConnect

extension BrokerError {
    /// What went wrong. No case takes text of the broker or of a person: a broker's codes come as `ErrorWord`.
    package enum Cause: Equatable, Sendable {
        case word(Word)
        /// The error in the broker's redirect, and the broker's own code for it if the kind has such codes.
        case oauth(ErrorWord, own: ErrorWord? = nil)
        /// A request without a response.
        case unanswered(ProviderRequest.Purpose, FetchError)
        /// A status that the request never succeeds with.
        case status(Answer, Int)
        case directory(ProviderDirectoryError)
        case authorizationRequest(AuthorizationRequestError)
        case pushedAuthorization(ProviderResponseError)
        case authorizationResponse(AuthorizationResponseError)
        case tokenRequest(ClientAuthenticationError)
        case tokenResponse(TokenResponseError)
        case idTokenForm(JWTFormatError)
        case idToken(IDTokenError)
        case userInfo(UserInfoError)
        /// The level that the identity has.
        case assurance(Assurance)
        /// DigiD's app, or another that it leads to, returned without an artifact.
        case app(AppProblem)
        /// The link that DigiD's resolver made is refused.
        case appLink(LinkProblem)
        /// We could not sign our request to DigiD.
        case signedRequest(SigningProblem)
        /// We could not authenticate at DigiD's resolver.
        case resolverRequest(ClientAuthenticationError)
        case resolver(ResolverStep, ResolverProblem)
    }

    /// A response that has a name of its own in the log.
    package enum Answer: String, CaseIterable, Sendable {
        case cibaInitAuth = "ciba_init_auth"
        case launchLinksPoll = "launch_links_poll"
        case launchLinksComplete = "launch_links_complete"
    }

    /// The words that stand for themselves.
    package enum Word: String, CaseIterable, Sendable {
        case flow
        case endpointRefused = "endpoint_refused"
        case exchangeDeadline = "exchange_deadline"
        case flightUnreadable = "flight_unreadable"
        case providerOff = "provider_off"
        case providerRemoved = "provider_removed"
        case interrupted

        case accessTokenMissing = "token_access_token_missing"
        /// The ID token is about an e-ID that we did not request.
        case idTokenIDP = "id_token_idp"
        case amr
        case amrType = "amr_type"
        case aal
        case ial
        case personMissing = "person_missing"
        case personMalformed = "person_malformed"
        case personAmbiguous = "person_ambiguous"

        case launchLinksMalformed = "launch_links_malformed"
        case launchLinksPollMalformed = "launch_links_poll_malformed"
        case launchLinksLocation = "launch_links_location"
        case launchLinksRefused = "launch_links_refused"
        case launchLinksExpired = "launch_links_expired"
        case launchLinksAccessDenied = "launch_links_access_denied"
        case headlessMalformed = "headless_malformed"
        case cibaMalformed = "ciba_malformed"

        case appAnswer = "app_answer"
        case appDemo = "app_demo"
        case initTransaction = "init_transaction"
        case initSession = "init_session"
        case initRequestIDSent = "init_request_id_sent"
        case initLinkMissing = "init_link_missing"
        case completeWithoutSession = "complete_without_session"
        case completeArtifact = "complete_artifact"
        case completeSession = "complete_session"
        case completeInResponseTo = "complete_in_response_to"
        case completeInResponseToMissing = "complete_in_response_to_missing"
        case completeSubject = "complete_subject"
        case completeACR = "complete_acr"
    }
}

extension BrokerError.Cause {
    /// A word of ours in snake_case, or one with the broker's code as `ErrorWord` writes it.
    package var text: String {
        switch self {
        case .word(let word): word.rawValue
        case .oauth(let word, let own): own.map { "\(word.text) \($0.text)" } ?? word.text
        case .unanswered(let purpose, let error): "\(purpose.rawValue)_\(error.raw)"
        case .status(let answer, let status): "\(answer.rawValue)_\(status)"
        case .directory(let error): error.raw
        case .authorizationRequest(let error): "authorize_\(error.rawValue.snakeCased)"
        case .pushedAuthorization(let error): "par_\(error.raw)"
        case .authorizationResponse(let error): "response_\(error.rawValue.snakeCased)"
        case .tokenRequest(let error): "token_request_\(error.rawValue.snakeCased)"
        case .tokenResponse(let error): error.raw
        case .idTokenForm(let error): "id_token_\(error.rawValue.snakeCased)"
        case .idToken(let error): "id_token_\(error.rawValue.snakeCased)"
        case .userInfo(let error): error.raw.snakeCased
        case .assurance(let assurance): "assurance_\(assurance.rawValue)"
        case .app(let problem): "app_\(problem.rawValue)"
        case .appLink(let problem): "init_link_\(problem.rawValue)"
        case .signedRequest(let problem): "request_\(problem.rawValue)"
        case .resolverRequest(let error): "resolver_request_\(error.rawValue)"
        case .resolver(let step, let problem): "\(step.rawValue)_\(problem.text)"
        }
    }

    /// The broker's own code, if it sent one, for metrics.
    var word: ErrorWord? {
        switch self {
        case .oauth(let word, let own): own ?? word
        case .pushedAuthorization(let error): error.word
        case .tokenResponse(let error): error.word
        case .word, .unanswered, .status, .directory, .authorizationRequest, .authorizationResponse, .tokenRequest,
            .idTokenForm, .idToken, .userInfo, .assurance, .app, .appLink, .signedRequest, .resolverRequest, .resolver:
            nil
        }
    }

    /// Why there was no response, if there was none.
    var fetchError: FetchError? {
        switch self {
        case .unanswered(_, let error), .directory(.fetch(let error)), .resolver(_, .unanswered(let error)): error
        case .word, .oauth, .status, .directory, .authorizationRequest, .pushedAuthorization, .authorizationResponse,
            .tokenRequest, .tokenResponse, .idTokenForm, .idToken, .userInfo, .assurance, .app, .appLink,
            .signedRequest, .resolverRequest, .resolver:
            nil
        }
    }
}

/// Validation errors have the names of Swift's cases: `unknownKey` is logged as `unknown_key`.
extension String {
    /// An underscore before each capital that follows a small letter, and everything in small letters.
    var snakeCased: String {
        var words = ""
        var follows = false
        for letter in self {
            if letter.isUppercase, follows { words += "_" }
            words += letter.lowercased()
            follows = letter.isLowercase
        }
        return words
    }
}
