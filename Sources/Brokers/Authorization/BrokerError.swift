import OpenIDConnect

/// Why a broker gave us no identity. The kind decides what the app is told; the cause is only logged.
package struct BrokerError: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// It gave no response, or one that is not OAuth. A retry may succeed.
        case unavailable
        /// We did not call it: this process had no file descriptor left, too many requests were waiting, or the provider
        /// is switched off.
        case notAsked
        /// A request that may happen once was sent, and the connection ended without a response. We do not know whether
        /// the broker took it.
        case hungUp
        /// The user declined.
        case cancelled
        /// The user did not finish in the time that the broker gives.
        case expired
        /// It responded with an OAuth error.
        case refused
        /// The authorization response failed validation.
        case invalidResponse
        /// The response belongs to another login, or we cannot tell to which. It is ignored, and this login continues.
        case foreign
        /// The token response, the ID token or the userinfo failed validation.
        case invalidToken
        /// The user did not authenticate for this login.
        case notFresh
        /// The level of assurance is not the requested one.
        case assuranceTooLow
    }

    package let kind: Kind
    package let cause: Cause

    package init(_ kind: Kind, _ cause: Cause) {
        self.kind = kind
        self.cause = cause
    }

    package init(_ kind: Kind, _ word: Word) { self.init(kind, .word(word)) }

    /// The cause for logs. Never free text of the broker, never a secret.
    package var detail: String { self.cause.text }

    /// The broker's own code, if it sent one, for metrics.
    package var word: ErrorWord? { self.cause.word }

    /// If we sent nothing, the broker is not at fault.
    static func kind(of error: FetchError) -> Kind {
        switch error {
        case .noDescriptors, .busy, .cancelled: .notAsked
        case .closed: .hungUp
        case .unreachable, .timedOut, .tooLarge, .tls, .refused, .encoding, .broken: .unavailable
        }
    }

    /// Whether the broker gave no usable response, so that the same request may be repeated.
    package var isUnreachable: Bool {
        self.kind == .unavailable || self.kind == .notAsked || self.kind == .hungUp
    }

    /// Whether the request waited in our own queue until its time was up. The broker was not asked.
    package var isOfFullQueue: Bool { self.kind == .notAsked && self.cause.fetchError == .busy }

    /// Whether the provider is switched off. The broker was not asked.
    package var isOfProviderOff: Bool { self.cause == .word(.providerOff) }
}

extension BrokerError: CustomStringConvertible {
    package var description: String {
        let advice =
            switch self.kind {
            case .unavailable: "the broker gave no usable response: check the connection to it, and its status page"
            case .notAsked where self.isOfProviderOff: "the broker was not called: providers.*.enabled is false"
            case .notAsked: "the broker was not called: this server had no file descriptor or no connection left for it"
            case .hungUp: "the broker closed the connection without a response: a new login may work"
            case .cancelled: "the user declined"
            case .expired: "the user did not finish in time: a new login may work"
            case .refused: "the broker refused: check what is registered there"
            case .invalidResponse: "the broker's redirect failed validation: check the settings of this broker"
            case .foreign: "the response belongs to another login, and was ignored"
            case .invalidToken: "the broker's token failed validation: check the settings of this broker"
            case .notFresh: "the user did not authenticate again: a new login may work"
            case .assuranceTooLow: "the user's level of assurance is too low: check what the provider requires"
            }
        return "\(self.detail): \(advice)"
    }
}
