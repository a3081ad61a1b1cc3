/// What DigiD's app returns with: an artifact, or the reason why there is none.
package struct AppToAppResponse: Equatable, Sendable {
    /// What went wrong according to the app, in our words (sources: the app's published source, and that of the state's
    /// wallet, which uses the app).
    package enum Problem: String, CaseIterable, Sendable {
        case cancelled
        case timeout
        case notActivated = "not_activated"
        case iconMissing = "icon_missing"
        /// Free text from the app.
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
    /// Nil if none was sent, as with many errors.
    let relayState: String?

    /// An artifact of SAML has 60 characters (SAML Bindings, 3.6.4).
    private static let artifactLimit = 512

    init(_ text: String) throws(AppToAppError) {
        guard let object = AppToAppText.object(text) else { throw AppToAppError() }
        self.relayState = try object.appText("RelayState")
        let artifact = try object.appText("SAMLart")
        // The app fetches an artifact for failures too, so the error message counts first.
        if let message = try object.appText("ErrorMessage") {
            self.outcome = .problem(Problem(message))
        } else if let artifact, Self.isArtifact(artifact, limit: Self.artifactLimit) {
            self.outcome = .artifact(artifact)
        } else {
            throw AppToAppError()
        }
    }

    static func isArtifact(_ text: String, limit: Int) -> Bool {
        text.utf8.count <= limit && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

/// A return that the app would not have made. Nothing in it is trusted.
struct AppToAppError: Error, CustomStringConvertible {
    var description: String { "the link is not from the e-ID's app: check which app opened it" }
}
