/// The way back: what DigiD's app put into the link that opens ours.
import Base

extension DigiDBroker {
    /// Stands beside an answer that brought a `RelayState`. Nothing of the wire stands beside it, so it cannot be forged.
    private static let boundMark = "bound"

    /// The answer in the words of OAuth, and nothing else that the link holds.
    package func received(_ parameters: Parameters) -> Parameters {
        let values = parameters.filter { $0.name == AppToAppText.name }.map(\.value)
        // A state that is nobody's: what cannot be read belongs to no login, and changes none.
        let unreadable = [Parameter("state", "")]
        guard values.count == 1, let answer = try? AppToAppAnswer(values[0]) else { return unreadable }
        let bound = answer.relayState.map { [Parameter("state", $0), Parameter(Self.boundMark, "")] } ?? []
        switch answer.outcome {
        case .artifact(let artifact): return bound + [Parameter("code", artifact)]
        case .problem(let problem): return bound + [Parameter("error", problem.rawValue)]
        }
    }

    package func state(in parameters: Parameters) -> String? {
        let values = parameters.filter { $0.name == "state" }.map(\.value)
        return values.count == 1 ? values[0] : nil
    }

    package func judge(
        _ parameters: Parameters, state: String, for provider: Provider
    ) async throws(BrokerError) -> Judgement {
        if let word = parameters.first(where: { $0.name == "error" })?.value {
            return .denied(Self.failure(AppToAppAnswer.Problem(rawValue: word) ?? .other))
        }
        guard let artifact = parameters.first(where: { $0.name == "code" })?.value else {
            throw BrokerError(.invalidResponse, "app_answer")
        }
        // No artifact: DigiD's test app in its demo mode.
        guard artifact != "demo" || self.settings.testHost != nil else {
            throw BrokerError(.invalidResponse, "app_demo")
        }
        let isBound = parameters.contains { $0.name == Self.boundMark }
        return .granted(code: ReturnedArtifact(artifact, isBound: isBound).secret)
    }

    private static func failure(_ problem: AppToAppAnswer.Problem) -> BrokerError {
        let kind: BrokerError.Kind =
            switch problem {
            case .cancelled: .cancelled
            case .timeout: .expired
            case .notActivated, .iconMissing, .other: .refused
            }
        return BrokerError(kind, "app_\(problem.rawValue)")
    }
}
