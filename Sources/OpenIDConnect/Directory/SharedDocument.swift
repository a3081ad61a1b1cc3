import Base
import Synchronization

/// One document of a provider, fetched once for all callers that wait for it.
final class SharedDocument<Document: Sendable>: Sendable {
    private let cache: Mutex<CachedDocument<Document>>
    private let now: @Sendable () -> Timestamp
    private let sleep: Sleep
    private let fetch: @Sendable () async throws(ProviderDirectoryError) -> Document

    init(
        lifetimes: DirectoryLifetimes, now: @escaping @Sendable () -> Timestamp, sleep: @escaping Sleep,
        fetch: @escaping @Sendable () async throws(ProviderDirectoryError) -> Document
    ) {
        self.cache = Mutex(CachedDocument(lifetimes: lifetimes))
        self.now = now
        self.sleep = sleep
        self.fetch = fetch
    }

    /// When the last good copy was fetched.
    var fetchedAt: Timestamp? { self.cache.withLock { $0.fetchedAt } }

    /// The document, if it needs no fetch. Checking this first saves most callers the cost of a task.
    var fresh: FetchedDocument<Document>? {
        let now = self.now()
        return self.cache.withLock { $0.fresh(at: now) }
    }

    /// See `CachedDocument`.
    func markStale() -> Bool {
        let now = self.now()
        return self.cache.withLock { $0.markStale(at: now) }
    }

    func document() async throws(ProviderDirectoryError) -> FetchedDocument<Document> {
        let now = self.now()
        return try await self.follow(self.cache.withLock { $0.decide(at: now, launch: self.launch) })
    }

    /// If the last such fetch was too recent, waits until the next one is allowed.
    func documentAfterMiss(
        in number: Int, from source: KeyMissSource
    ) async throws(ProviderDirectoryError) -> FetchedDocument<Document> {
        // If the clock was corrected meanwhile, a second pause may be needed.
        for _ in 0..<3 {
            let now = self.now()
            let decision = self.cache.withLock {
                $0.decideAfterMiss(in: number, from: source, at: now, launch: self.launch)
            }
            guard case .pause(let pause) = decision else { return try await self.follow(decision) }
            if let remainingTime = FetchContext.current?.remainingTime, remainingTime < pause { break }
            await self.sleep(pause)
            guard !Task.isCancelled else { break }
        }
        throw .throttled
    }

    private func follow(_ decision: CachedDocument<Document>.Decision) async throws(ProviderDirectoryError)
        -> FetchedDocument<
            Document
        >
    {
        switch decision {
        case .use(let document):
            return document
        case .fail(let failure):
            throw failure
        case .pause:
            throw .throttled
        case .wait(let pendingFetch, let older):
            let outcome = await pendingFetch.value
            if case .failure = outcome, let older { return older }
            return try outcome.get()
        }
    }

    /// Starts a separate task without the caller's time limit, so that a caller who gives up does not end the fetch for
    /// the others.
    private func launch() -> CachedDocument<Document>.PendingFetch {
        FetchContext.$current.withValue(FetchContext.current?.withoutLimit()) { self.run() }
    }

    private func run() -> CachedDocument<Document>.PendingFetch {
        Task {
            let outcome: Result<Document, ProviderDirectoryError>
            do throws(ProviderDirectoryError) {
                outcome = .success(try await self.fetch())
            } catch {
                outcome = .failure(error)
            }
            let now = self.now()
            return self.cache.withLock { $0.complete(outcome, at: now) }
        }
    }
}
