// What a third-party app returns with: plain parameters of the link, where DigiD's app has JSON.

import Base

extension AppToAppResponse {
    /// Others than DigiD make longer ones.
    private static let parameterLimit = 4096

    /// Reads the parameter with the artifact, `error`, and our `state` if the app brings it back. A parameter that is
    /// there twice says nothing.
    init(thirdParty parameters: [Parameter], artifactIn name: String) throws(AppToAppError) {
        self.relayState = try Self.text("state", in: parameters)
        let artifact = try Self.text(name, in: parameters)
        if let word = try Self.text("error", in: parameters) {
            self.outcome = .problem(Problem(ofThirdParty: word))
        } else if let artifact, Self.isArtifact(artifact, limit: Self.parameterLimit) {
            self.outcome = .artifact(artifact)
        } else {
            throw AppToAppError()
        }
    }

    private static func text(_ name: String, in parameters: [Parameter]) throws(AppToAppError) -> String? {
        let values = parameters.filter { $0.name == name }
        guard values.count <= 1, values.allSatisfy({ !$0.isUnreadable }) else { throw AppToAppError() }
        return values.first.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
}

extension AppToAppResponse.Problem {
    /// Translates the word in `error`. No document lists them: these are OAuth's (RFC 6749 §4.1.2.1) and usual ones.
    fileprivate init(ofThirdParty word: String) {
        switch word {
        case "access_denied", "cancelled", "canceled", "user_cancelled", "user_canceled": self = .cancelled
        case "timeout", "expired": self = .timeout
        default: self = .other
        }
    }
}
