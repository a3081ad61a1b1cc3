// What a third-party app returns with: plain parameters of the link, where DigiD's app has JSON.

import Base

extension AppToAppResponse {
    /// Others than DigiD make longer ones.
    private static let parameterLimit = 4096

    /// Reads the parameter with the artifact, `error`, and our `state` if the app brings it back. A parameter that is
    /// there twice says nothing.
    init?(thirdParty parameters: [Parameter], artifactIn name: String) {
        guard let texts = Self.texts(["state", name, "error"], in: parameters) else { return nil }
        self.relayState = texts["state"]
        if let word = texts["error"] {
            self.outcome = .problem(BrokerError.AppProblem(ofThirdParty: word))
        } else if let artifact = texts[name], Self.isArtifact(artifact, limit: Self.parameterLimit) {
            self.outcome = .artifact(artifact)
        } else {
            return nil
        }
    }

    private static func texts(_ names: [String], in parameters: [Parameter]) -> [String: String]? {
        var texts: [String: String] = [:]
        for name in names {
            let values = parameters.filter { $0.name == name }
            guard values.count <= 1, values.allSatisfy({ !$0.isUnreadable }) else { return nil }
            texts[name] = values.first.flatMap { $0.value.isEmpty ? nil : $0.value }
        }
        return texts
    }
}

extension BrokerError.AppProblem {
    /// Translates the word in `error`. No document lists them: these are OAuth's (RFC 6749 §4.1.2.1) and usual ones.
    fileprivate init(ofThirdParty word: String) {
        switch word {
        case "access_denied", "cancelled", "canceled", "user_cancelled", "user_canceled": self = .cancelled
        case "timeout", "expired": self = .timeout
        default: self = .other
        }
    }
}
