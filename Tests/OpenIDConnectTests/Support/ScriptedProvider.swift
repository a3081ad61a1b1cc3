import JOSE
import OpenIDConnect
import Synchronization

/// A provider that responds as a test tells it to, counts its requests, and can keep all callers waiting.
final class ScriptedProvider: Sendable {
    typealias Answer = Result<ProviderResponse, FetchError>

    private struct State {
        var answers: [ProviderRequest.Purpose: Answer] = [:]
        var answersByURL: [String: Answer] = [:]
        var requests: [ProviderRequest] = []
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    init(keys: JWKSet) {
        self.answer(.discovery, Example.json(Example.document))
        self.answer(.keys, Example.json(keys.json.object ?? [:]))
    }

    func answer(_ purpose: ProviderRequest.Purpose, _ response: ProviderResponse) {
        self.state.withLock { $0.answers[purpose] = .success(response) }
    }

    /// Answers requests to one URL in another way than all others of their purpose.
    func answer(_ purpose: ProviderRequest.Purpose, at url: String, _ response: ProviderResponse) {
        self.state.withLock { $0.answersByURL[url] = .success(response) }
    }

    func fail(_ purpose: ProviderRequest.Purpose, _ error: FetchError) {
        self.state.withLock { $0.answers[purpose] = .failure(error) }
    }

    func publish(_ keys: [JWK]) {
        self.answer(.keys, Example.json(JWKSet(keys).json.object ?? [:]))
    }

    var requests: [ProviderRequest] { self.state.withLock { $0.requests } }

    func count(_ purpose: ProviderRequest.Purpose) -> Int { self.requests.count { $0.purpose == purpose } }

    /// Makes every further response wait for `release`.
    func hold() { self.state.withLock { $0.isHolding = true } }

    func release() {
        let held = self.state.withLock { state in
            defer { state.held = [] }
            state.isHolding = false
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    var fetch: Fetch {
        { request async throws(FetchError) -> ProviderResponse in
            await self.takeNote(of: request)
            let answer = self.state.withLock { $0.answersByURL[request.url] ?? $0.answers[request.purpose] }
            return try (answer ?? .failure(.unreachable("not scripted"))).get()
        }
    }

    private func takeNote(of request: ProviderRequest) async {
        await withCheckedContinuation { continuation in
            let mustWait = self.state.withLock { state in
                state.requests.append(request)
                guard state.isHolding else { return false }
                state.held.append(continuation)
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }

    func directory(_ clock: ManualClock, issuer: String = Example.issuer) -> ProviderDirectory {
        ProviderDirectory(
            issuer: issuer, policy: EndpointPolicy(), fetch: self.fetch, now: { clock.now },
            sleep: { clock.advance($0) })
    }
}
