// Handles the return: what DigiD's app, or a third party's, put into the link that opens ours.

import Base

extension DigiDBroker {
    /// Marks a response that had a `RelayState`. No parameter of the link is passed on beside it, so it cannot be
    /// forged.
    private static let boundMark = "bound"

    /// Translates the response into OAuth parameters, and drops everything else in the link.
    package func normalized(_ parameters: Parameters) -> Parameters {
        // This state belongs to no login, so a response that cannot be read changes none.
        guard let answer = self.answer(in: parameters) else { return [Parameter("state", Parameter.unreadable)] }
        let stateParameters = answer.relayState.map { [Parameter("state", $0), Parameter(Self.boundMark, "")] } ?? []
        switch answer.outcome {
        case .artifact(let artifact): return stateParameters + [Parameter("code", artifact)]
        case .problem(let problem): return stateParameters + [Parameter("error", problem.rawValue)]
        }
    }

    /// Returns nil for a response that is none, and for one in two forms.
    private func answer(in parameters: Parameters) -> AppToAppResponse? {
        let texts = parameters.filter { $0.name == AppToAppText.name }.map(\.value)
        guard let apps = self.settings.thirdPartyApps, texts.isEmpty else {
            let name = self.settings.thirdPartyApps?.artifactParameter
            guard texts.count == 1, !parameters.contains(where: { $0.name == name }) else { return nil }
            return AppToAppResponse(texts[0])
        }
        return AppToAppResponse(thirdParty: parameters, artifactIn: apps.artifactParameter)
    }

    package func state(in parameters: Parameters) throws(StateError) -> String {
        try ResponseParameters.onlyValue(of: "state", in: parameters)
    }

    package func validate(
        _ parameters: Parameters, state: String, for provider: Provider
    ) async throws(BrokerError) -> AuthorizationResult {
        if let word = parameters.first(where: { $0.name == "error" })?.value {
            return .denied(Self.failure(BrokerError.AppProblem(rawValue: word) ?? .other))
        }
        guard let artifact = parameters.first(where: { $0.name == "code" })?.value else {
            throw BrokerError(.invalidResponse, .appAnswer)
        }
        let isBound = parameters.contains { $0.name == Self.boundMark }
        // DigiD's test app sends this in its demo mode, instead of an artifact. Anyone can make a link that names no
        // login, so that ends none: the resolver refuses this artifact as any other.
        guard artifact != "demo" || !isBound || self.settings.testHost != nil else {
            throw BrokerError(.invalidResponse, .appDemo)
        }
        return .granted(code: ReturnedArtifact(artifact, isBound: isBound).secret)
    }

    private static func failure(_ problem: BrokerError.AppProblem) -> BrokerError {
        let kind: BrokerError.Kind =
            switch problem {
            case .cancelled: .cancelled
            case .timeout: .expired
            case .notActivated, .iconMissing, .other: .refused
            }
        return BrokerError(kind, .app(problem))
    }
}
