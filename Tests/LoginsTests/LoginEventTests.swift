import Brokers
import Testing

@testable import Logins

/// The names in login events, which operators use in alerts.
@Suite struct LoginEventTests {
    private static let words: [String] = {
        let failure = BrokerError(.invalidToken, .idTokenForm(.unknownKey))
        let steps: [LoginEvent.Step] = [
            .created(by: .missing), .opened, .openFailed(failure), .returned(.link), .callback(denied: nil),
            .callbackIgnored(.state), .redeemed, .exchangeFailed(failure), .identified, .proven(.pageCode),
            .proofRefused(.link),
            .ended(after: .zero, at: nil, because: nil), .replaced(by: PollSecret.make().loginID), .delivered,
            .acknowledged, .takenOver(.code), .rowRefused(.forged), .storeFailed(.read),
        ]
        let ignored: [LoginEvent.IgnoredCallback] =
            [
                .state, .mediaType, .unknownBroker, .unknownLogin, .otherBroker, .unknownProvider, .late,
                .otherResponse, .foreign(failure.cause),
            ] + StateError.allCases.map { .noState($0) }
        return steps.map(\.name) + ignored.map(\.name) + LoginEvent.Return.allCases.map(\.rawValue)
            + LoginEvent.Unfinished.allCases.map(\.rawValue) + LoginStage.allCases.map(\.rawValue)
            + StoreWork.allCases.map(\.rawValue) + RowError.allCases.map(\.rawValue)
            + SameDeviceProof.allCases.map(\.rawValue) + Reason.allCases.map(\.rawValue) + [failure.detail]
    }()

    @Test(arguments: Self.words) func `every word is in snake_case`(_ word: String) {
        #expect(word.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil)
    }
}
