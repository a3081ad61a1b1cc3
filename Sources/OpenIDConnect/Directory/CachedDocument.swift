/// What is known of one document of a provider, and what a caller who needs it does: a value, time is passed in.
import Base

struct CachedDocument<Document: Sendable>: Sendable {
    /// One fetch that any number of callers wait for.
    typealias Flight = Task<Result<Edition<Document>, ProviderDirectoryError>, Never>

    enum Decision {
        case use(Edition<Document>)
        case fail(ProviderDirectoryError)
        /// Wait for the fetch; when it fails, use the older edition if there is one.
        case wait(Flight, orUse: Edition<Document>?)
        /// Ask again after this time.
        case pause(Duration)
    }

    let lifetimes: DirectoryLifetimes
    private var good: Edition<Document>?
    /// The last fetch, if it failed.
    private var failure: (reason: ProviderDirectoryError, at: Timestamp)?
    private var flight: Flight?
    private var missedAt: Timestamp?

    var fetchedAt: Timestamp? { self.good?.fetchedAt }

    init(lifetimes: DirectoryLifetimes) { self.lifetimes = lifetimes }

    /// The document, if nobody need be asked for it.
    func fresh(at now: Timestamp) -> Edition<Document>? {
        guard let good = self.good, now.isWithin(self.lifetimes.fresh, after: good.fetchedAt) else { return nil }
        return good
    }

    /// A caller needs the document. `launch` starts a fetch.
    mutating func ask(at now: Timestamp, launch: () -> Flight) -> Decision {
        if let fresh = self.fresh(at: now) { return .use(fresh) }
        let usable = self.good.flatMap { now.isWithin(self.lifetimes.lastGood, after: $0.fetchedAt) ? $0 : nil }

        if let failure = self.failure, now.isWithin(self.lifetimes.afterFailure, after: failure.at) {
            return usable.map { .use($0) } ?? .fail(failure.reason)
        }
        let flight = self.joinFlight(launch)
        // Nobody waits for a provider that failed last time while there is something to use.
        if self.failure != nil, let usable { return .use(usable) }
        return .wait(flight, orUse: usable)
    }

    /// A caller did not find in the edition of that number what must be in the newest.
    mutating func askAfterMiss(in number: Int, at now: Timestamp, launch: () -> Flight) -> Decision {
        if let good = self.good, good.number > number { return .use(good) }
        if let flight = self.flight { return .wait(flight, orUse: nil) }
        if let failure = self.failure {
            guard !now.isWithin(self.lifetimes.afterFailure, after: failure.at) else { return .fail(failure.reason) }
        } else if let missedAt = self.missedAt, now.isWithin(self.lifetimes.betweenMisses, after: missedAt) {
            return .pause(missedAt + self.lifetimes.betweenMisses - now)
        }
        self.missedAt = now
        return .wait(self.joinFlight(launch), orUse: nil)
    }

    /// The fetch has ended. Whatever it brought, the next caller may start another.
    mutating func land(_ outcome: Result<Document, ProviderDirectoryError>, at now: Timestamp) -> Result<
        Edition<Document>, ProviderDirectoryError
    > {
        self.flight = nil
        switch outcome {
        case .success(let document):
            let edition = Edition(document: document, number: (self.good?.number ?? 0) + 1, fetchedAt: now)
            self.good = edition
            self.failure = nil
            return .success(edition)
        case .failure(let reason):
            // It says nothing about the provider, so the next caller asks.
            if case .fetch(let error) = reason, error.isOurs { return .failure(reason) }
            self.failure = (reason, now)
            return .failure(reason)
        }
    }

    private mutating func joinFlight(_ launch: () -> Flight) -> Flight {
        let flight = self.flight ?? launch()
        self.flight = flight
        return flight
    }
}

extension Timestamp {
    /// False also when the clock was set back past the moment: then nothing is known about how long ago it was.
    fileprivate func isWithin(_ span: Duration, after moment: Timestamp) -> Bool {
        let age = self - moment
        return age >= .zero && age < span
    }
}

/// A document of a provider as it was fetched once, numbered, so that a later one can be told from it.
package struct Edition<Document: Sendable>: Sendable {
    package let document: Document
    /// 1 for the first that was fetched.
    package let number: Int
    let fetchedAt: Timestamp
}

/// How long a provider's documents are believed, and how often it is asked for them.
package struct DirectoryLifetimes: Sendable {
    /// Used without asking again.
    package var fresh: Duration = .seconds(3600)
    /// Used when it cannot be had anew. Afterwards a withdrawn key would be believed for too long.
    package var lastGood: Duration = .seconds(24 * 3600)
    /// After a failure the provider is not asked again.
    package var afterFailure: Duration = .seconds(5)
    /// Between two fetches that an unknown `kid` caused. A caller waits for the next one, so it is well below the time that
    /// an exchange has (10 s): in a rotation nobody fails, and forged names cost the provider one request in this time.
    package var betweenMisses: Duration = .seconds(5)

    package init() {}
}
