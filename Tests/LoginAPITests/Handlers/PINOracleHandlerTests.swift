import Base
import HTTPWire
import PhoneKeys
import TestSupport
import Testing

@testable import LoginAPI

/// A thief with the phone's key, its storage and an access token sends guesses as the new PIN, sixteen minutes after
/// the e-ID login. Every response has the same bytes. How long the responses take is printed, because no test may
/// depend on the machine.
@Suite struct PINOracleHandlerTests {
    /// Half of them are right.
    private static let guesses = TestTier.hasAllRows ? 2_000 : 200
    /// An access token lasts five minutes, and we move the clock by a second for each guess.
    private static let renewalInterval = 100

    @Test func `no guess has another response`() async throws {
        let phone = try BenchPhone(
            try HandlerBench(release: .code, sessions: .unlock) { $0.rates.session = nil })
        let secret = Secret(RandomBytes.make(32))
        try await phone.begin()
        #expect(try await phone.setPIN(secret).status == .noContent)
        phone.bench.clock.move(by: .seconds(16 * 60))
        var (answers, times): (Set<String>, [Bool: [Duration]]) = ([], [:])
        for number in 0..<Self.guesses {
            if number % Self.renewalInterval == 0 {
                _ = try await phone.renew()
                try #require(try await phone.renew(pin: secret).status == .ok)
            }
            phone.bench.clock.move(by: .seconds(1))
            let isRight = number % 2 == 0
            let guess = isRight ? secret : Secret(RandomBytes.make(32))
            let start = ContinuousClock.now
            let answer = try await phone.setPIN(guess)
            times[isRight, default: []].append(.now - start)
            answers.insert(Self.content(answer))
        }
        #expect(answers.count == 1 && answers.first?.hasPrefix("403") == true, "\(answers)")
        let (right, wrong) = (Self.median(times[true] ?? []), Self.median(times[false] ?? []))
        print(
            "PUT /v1/sessions/{id}/pin at +16 minutes, \(Self.guesses) guesses: one response;",
            "median \(right) for the present secret, \(wrong) for others, ratio \(right / wrong)")
        // The guesses have cost the owner nothing.
        phone.bench.clock.move(by: .seconds(301))
        _ = try await phone.renew()
        let honest = try await phone.renew(pin: Secret(RandomBytes.make(32)))
        #expect(honest.json["tries_left"]?.integer == 4)
    }

    /// Everything that a caller gets, without the nonce and the request's id, which are new each time.
    private static func content(_ answer: Response) -> String {
        let fields = answer.fields.filter { $0.name != .dpopNonce }
        let all =
            "\(answer.status.rawValue) \(fields.map { "\($0.name.rawValue): \($0.value)" }.sorted()) "
            + String(decoding: answer.body, as: UTF8.self)
        return answer.json["request_id"]?.string.map { all.replacing($0, with: "") } ?? all
    }

    private static func median(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }
}
