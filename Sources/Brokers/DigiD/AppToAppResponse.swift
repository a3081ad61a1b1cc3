/// What DigiD's app returns with: an artifact, or the reason why there is none.
struct AppToAppResponse: Equatable, Sendable {
    enum Outcome: Equatable, Sendable {
        case artifact(String)
        case problem(BrokerError.AppProblem)
    }

    let outcome: Outcome
    /// Nil if none was sent, as with many errors.
    let relayState: String?

    /// An artifact of SAML has 60 characters (SAML Bindings, 3.6.4).
    private static let artifactLimit = 512

    /// Returns nil for a return that the app would not have made. Nothing in it is trusted.
    init?(_ text: String) {
        guard let texts = AppToAppText.object(text)?.appTexts(["RelayState", "SAMLart", "ErrorMessage"]) else {
            return nil
        }
        self.relayState = texts["RelayState"]
        // The app fetches an artifact for failures too, so the error message counts first.
        if let message = texts["ErrorMessage"] {
            self.outcome = .problem(BrokerError.AppProblem(message))
        } else if let artifact = texts["SAMLart"], Self.isArtifact(artifact, limit: Self.artifactLimit) {
            self.outcome = .artifact(artifact)
        } else {
            return nil
        }
    }

    static func isArtifact(_ text: String, limit: Int) -> Bool {
        text.utf8.count <= limit && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

extension BrokerError.AppProblem {
    fileprivate init(_ message: String) {
        switch message {
        case "_by_user": self = .cancelled
        default: self = Self(rawValue: message).flatMap { $0 == .cancelled ? nil : $0 } ?? .other
        }
    }
}
