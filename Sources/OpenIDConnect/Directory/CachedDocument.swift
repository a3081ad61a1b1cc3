import Base

/// The cached state of one document of a provider. It decides what a caller does; the caller passes in the time.
struct CachedDocument<Document: Sendable>: Sendable {
    /// One fetch that any number of callers wait for.
    typealias PendingFetch = Task<Result<FetchedDocument<Document>, ProviderDirectoryError>, Never>

    enum Decision {
        case use(FetchedDocument<Document>)
        case fail(ProviderDirectoryError)
        /// Wait for the fetch. If it fails, use the older document if there is one.
        case wait(PendingFetch, orUse: FetchedDocument<Document>?)
        /// Ask again after this time.
        case pause(Duration)
    }

    let lifetimes: DirectoryLifetimes
    private var good: FetchedDocument<Document>?
    /// The last fetch, if it failed.
    private var failure: (reason: ProviderDirectoryError, at: Timestamp)?
    private var pendingFetch: PendingFetch?
    /// When the last fetch began.
    private var begunAt = Timestamp(seconds: 0)
    /// When a miss of the provider's own tokens, or of a browser, last caused a fetch.
    private var missedAt: Timestamp?
    private var browserMissedAt: Timestamp?
    /// The states that have caused a fetch, and when.
    private var spentStates: [String: Timestamp] = [:]
    /// Set when something showed that the document is out of date.
    private var isStale = false
    private var markedStaleAt: Timestamp?

    var fetchedAt: Timestamp? { self.good?.fetchedAt }

    init(lifetimes: DirectoryLifetimes) { self.lifetimes = lifetimes }

    /// Returns the document, if it needs no fetch.
    func fresh(at now: Timestamp) -> FetchedDocument<Document>? {
        guard let good = self.good, !self.isStale, now.isWithin(self.lifetimes.fresh, after: good.fetchedAt) else {
            return nil
        }
        return good
    }

    /// Makes the next caller fetch the document again. Returns false if that was done less than `betweenStaleMarks`
    /// ago. If the fetch fails, the document stays in use.
    mutating func markStale(at now: Timestamp) -> Bool {
        if let last = self.markedStaleAt, now.isWithin(self.lifetimes.betweenStaleMarks, after: last) { return false }
        self.markedStaleAt = now
        self.isStale = true
        return true
    }

    /// Decides for a caller that needs the document. `launch` starts a fetch.
    mutating func decide(at now: Timestamp, launch: () -> PendingFetch) -> Decision {
        if let fresh = self.fresh(at: now) { return .use(fresh) }
        let usable = self.good.flatMap { now.isWithin(self.lifetimes.lastGood, after: $0.fetchedAt) ? $0 : nil }

        if let failure = self.failure, now.isWithin(self.lifetimes.afterFailure, after: failure.at) {
            return usable.map { .use($0) } ?? .fail(failure.reason)
        }
        let pendingFetch = self.joinPendingFetch(at: now, launch)
        // If the last fetch failed and there is a usable document, no caller waits for the provider.
        if self.failure != nil, let usable { return .use(usable) }
        return .wait(pendingFetch, orUse: usable)
    }

    /// Decides for a caller that did not find its key in document `number`, so that only a newer one can help.
    mutating func decideAfterMiss(
        in number: Int, from source: KeyMissSource, at now: Timestamp, launch: () -> PendingFetch
    ) -> Decision {
        if let good = self.good, good.number > number { return .use(good) }
        if let pendingFetch = self.pendingFetch { return .wait(pendingFetch, orUse: nil) }
        if let failure = self.failure {
            guard !now.isWithin(self.lifetimes.afterFailure, after: failure.at) else { return .fail(failure.reason) }
        }
        if let refusal = self.spend(source, at: now) { return refusal }
        return .wait(self.joinPendingFetch(at: now, launch), orUse: nil)
    }

    /// Takes one fetch from the budget of the source. Returns what to do instead if there is none.
    private mutating func spend(_ source: KeyMissSource, at now: Timestamp) -> Decision? {
        switch source {
        case .provider:
            if let pause = self.pause(self.lifetimes.betweenMisses, after: self.missedAt, at: now) { return pause }
            self.missedAt = now
        case .browser(let state):
            self.spentStates = self.spentStates.filter { now.isWithin(self.lifetimes.ofSpentStates, after: $0.value) }
            guard self.spentStates[state] == nil else { return .fail(.throttled) }
            // A fetch for any reason counts, but none of these delays the provider's own tokens.
            let last = [self.missedAt, self.browserMissedAt].compactMap(\.self).max()
            if let pause = self.pause(self.lifetimes.betweenBrowserMisses, after: last, at: now) { return pause }
            self.browserMissedAt = now
            self.spentStates[state] = now
        }
        return nil
    }

    /// After a failure there was a pause already.
    private func pause(_ span: Duration, after last: Timestamp?, at now: Timestamp) -> Decision? {
        guard self.failure == nil, let last, now.isWithin(span, after: last) else { return nil }
        return .pause(last + span - now)
    }

    /// Records the end of the fetch. The next caller may start another, whatever the result is.
    mutating func complete(_ outcome: Result<Document, ProviderDirectoryError>, at now: Timestamp) -> Result<
        FetchedDocument<Document>, ProviderDirectoryError
    > {
        self.pendingFetch = nil
        switch outcome {
        case .success(let document):
            let fetchedDocument = FetchedDocument(
                document: document, number: (self.good?.number ?? 0) + 1, begunAt: self.begunAt, fetchedAt: now)
            self.good = fetchedDocument
            self.isStale = false
            self.failure = nil
            return .success(fetchedDocument)
        case .failure(let reason):
            // This error says nothing about the provider, so the next caller may fetch.
            if case .fetch(let error) = reason, error.isOurs { return .failure(reason) }
            self.failure = (reason, now)
            return .failure(reason)
        }
    }

    private mutating func joinPendingFetch(at now: Timestamp, _ launch: () -> PendingFetch) -> PendingFetch {
        if let pendingFetch = self.pendingFetch { return pendingFetch }
        let pendingFetch = launch()
        self.pendingFetch = pendingFetch
        self.begunAt = now
        return pendingFetch
    }
}

extension Timestamp {
    /// False also when the clock was set back past `moment`, because the age is unknown then.
    fileprivate func isWithin(_ span: Duration, after moment: Timestamp) -> Bool {
        let age = self - moment
        return age >= .zero && age < span
    }
}

/// One fetched version of a provider's document. Its number tells it from later versions.
package struct FetchedDocument<Document: Sendable>: Sendable {
    package let document: Document
    /// 1 for the first fetch.
    package let number: Int
    /// When its fetch began: it cannot have what the provider changed later.
    let begunAt: Timestamp
    let fetchedAt: Timestamp
}

/// How long we use a provider's documents, and how often we fetch them.
package struct DirectoryLifetimes: Sendable {
    /// A document is used without a new fetch.
    package var fresh: Duration = .seconds(3600)
    /// A document is used when a new fetch fails. After this we would trust a withdrawn key for too long.
    package var lastGood: Duration = .seconds(24 * 3600)
    /// The provider is not asked again after a failure.
    package var afterFailure: Duration = .seconds(5)
    /// The pause between two fetches that an unknown key or a bad signature caused. A caller waits for the next one, so
    /// this is well below the time of a request (10 s). In a rotation no login fails, and forged names cost the
    /// provider one request in this time.
    package var betweenMisses: Duration = .seconds(5)
    /// The same for what browsers bring. A flood of forged responses costs the provider ten requests a minute.
    package var betweenBrowserMisses: Duration = .seconds(6)
    /// How long a browser's state that has caused a fetch is remembered: longer than any login lasts. There is at most
    /// one in each `betweenBrowserMisses`.
    package var ofSpentStates: Duration = .seconds(3600)
    /// The pause between two fetches because an endpoint has moved.
    package var betweenStaleMarks: Duration = .seconds(60)

    package init() {}
}

/// Where a token came from whose key was not among ours, or whose signature is wrong.
package enum KeyMissSource: Equatable, Sendable {
    /// The provider sent it over TLS in response to our request, so no stranger can make one.
    case provider
    /// A browser delivered it. `state` has our MAC, and it may cause one fetch. All states share a budget that takes
    /// nothing from the provider's own tokens.
    case browser(state: String)
}
