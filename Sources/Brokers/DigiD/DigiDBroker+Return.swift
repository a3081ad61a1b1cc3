/// Handles the return: what DigiD's app put into the link that opens ours.
import Base

extension DigiDBroker {
    /// Marks a response that had a `RelayState`. No parameter of the link is passed on beside it, so it cannot be
    /// forged.
    private static let boundMark = "bound"

    /// Translates the response into OAuth parameters, and drops everything else in the link.
    package func normalized(_ parameters: Parameters) -> Parameters {
        let values = parameters.filter { $0.name == AppToAppText.name }.map(\.value)
        // This state belongs to no login, so a response that cannot be read changes none.
        let unreadable = [Parameter("state", Parameter.unreadable)]
        guard values.count == 1, let answer = try? AppToAppResponse(values[0]) else { return unreadable }
        let bound = answer.relayState.map { [Parameter("state", $0), Parameter(Self.boundMark, "")] } ?? []
        switch answer.outcome {
        case .artifact(let artifact): return bound + [Parameter("code", artifact)]
        case .problem(let problem): return bound + [Parameter("error", problem.rawValue)]
        }
    }

    package func state(in parameters: Parameters) throws(StateError) -> String {
        try ResponseParameters.onlyValue(of: "state", in: parameters)
    }

    package func validate(
        _ parameters: Parameters, state: String, for provider: Provider
    ) async throws(BrokerError) -> AuthorizationResult {
        if let word = parameters.first(where: { $0.name == "error" })?.value {
            return .denied(Self.failure(AppToAppResponse.Problem(rawValue: word) ?? .other))
        }
        guard let artifact = parameters.first(where: { $0.name == "code" })?.value else {
            throw BrokerError(.invalidResponse, "app_answer")
        }
        // DigiD's test app sends this in its demo mode, instead of an artifact.
        guard artifact != "demo" || self.settings.testHost != nil else {
            throw BrokerError(.invalidResponse, "app_demo")
        }
        let isBound = parameters.contains { $0.name == Self.boundMark }
        return .granted(code: ReturnedArtifact(artifact, isBound: isBound).secret)
    }

    private static func failure(_ problem: AppToAppResponse.Problem) -> BrokerError {
        let kind: BrokerError.Kind =
            switch problem {
            case .cancelled: .cancelled
            case .timeout: .expired
            case .notActivated, .iconMissing, .other: .refused
            }
        return BrokerError(kind, "app_\(problem.rawValue)")
    }
}
