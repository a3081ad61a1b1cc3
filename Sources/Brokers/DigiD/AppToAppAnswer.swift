/// With what DigiD's app comes back: an artifact, or why there is none.

struct AppToAppAnswer: Equatable, Sendable {
    /// What its app says went wrong, in our words (its published source, and the wallet of the state that uses it).
    enum Problem: String, CaseIterable, Sendable {
        case cancelled
        case timeout
        case notActivated = "not_activated"
        case iconMissing = "icon_missing"
        /// Free text of the app's.
        case other

        init(_ message: String) {
            switch message {
            case "_by_user": self = .cancelled
            default: self = Self(rawValue: message).flatMap { $0 == .cancelled ? nil : $0 } ?? .other
            }
        }
    }

    enum Outcome: Equatable, Sendable {
        case artifact(String)
        case problem(Problem)
    }

    let outcome: Outcome
    /// Nil where none was sent, and with many errors.
    let relayState: String?

    /// An artifact of SAML has 60 characters (SAML Bindings, 3.6.4).
    private static let artifactLimit = 512

    init(_ text: String) throws(AppToAppError) {
        guard let object = AppToAppText.object(text) else { throw AppToAppError() }
        self.relayState = try object.appText("RelayState")
        let artifact = try object.appText("SAMLart")
        // Its app fetches an artifact for failures too: what it says comes first.
        if let message = try object.appText("ErrorMessage") {
            self.outcome = .problem(Problem(message))
        } else if let artifact, artifact.utf8.count <= Self.artifactLimit,
            artifact.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        {
            self.outcome = .artifact(artifact)
        } else {
            throw AppToAppError()
        }
    }
}

/// A text that DigiD's app would not have written: nothing in it is believed.
struct AppToAppError: Error, CustomStringConvertible {
    var description: String { "the text is no answer of DigiD's app: see which app opened the link" }
}
