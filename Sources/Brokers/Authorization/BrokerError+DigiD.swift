// What can go wrong with DigiD alone. The raw values are logged.

import OpenIDConnect

extension BrokerError {
    /// What went wrong according to DigiD's app, in our words (sources: the app's published source, and that of the
    /// state's wallet, which uses the app).
    package enum AppProblem: String, CaseIterable, Sendable {
        case cancelled
        case timeout
        case notActivated = "not_activated"
        case iconMissing = "icon_missing"
        /// Free text from the app.
        case other
    }

    /// Why a link that the resolver made is refused.
    package enum LinkProblem: String, CaseIterable, Sendable {
        /// It has characters that end JSON or the text of a page, or it is too long.
        case text
        /// It leads to an app that is not listed: see `brokers.*.app_link` and `brokers.*.app_links`.
        case elsewhere
        /// It has no `app-app` that we can read.
        case appApp = "app_app"
        /// The response would not come to us.
        case returnURL = "return_url"
        /// It names another host of DigiD's.
        case host
        case relayState = "relay_state"
        /// Its `SAMLRequest` has no id that we can read.
        case request
        /// The resolver does not say which request the answer of the app will name.
        case requestID = "request_id"
    }

    /// Why we could not make a request.
    package enum SigningProblem: String, CaseIterable, Sendable {
        /// There was no memory to compress it.
        case deflate
        /// The key of DigiD's service is no RSA key.
        case signing
    }

    /// The two steps of OneWelcome's custom registration.
    package enum ResolverStep: String, CaseIterable, Sendable {
        case initiate = "init"
        case complete
    }

    /// Why a step at DigiD's resolver failed.
    package enum ResolverProblem: Equatable, Sendable {
        /// The configuration does not allow its URL.
        case url
        case unanswered(FetchError)
        /// No success, or a status in the body that is none.
        case refused(ProviderResponseError)
    }
}

extension BrokerError.ResolverProblem {
    var text: String {
        switch self {
        case .url: "url"
        case .unanswered(let error): error.raw
        case .refused(let error): error.raw
        }
    }
}
