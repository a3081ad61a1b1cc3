import EventLoop
import HTTPWire
import Logins
import Sessions
import Synchronization

/// Limits how often callers may create logins, cause requests to brokers, poll logins, and use sessions. It counts in
/// this process only.
///
/// Thousands of phones share the address of a mobile carrier. So the limits bound what a stranger can cost us, with
/// room for all of these phones. They do not bound how many phones share an address.
package final class RequestLimits: Sendable {
    /// How often each action is allowed; nil is no limit. A rate per address is for an IPv4 address or an IPv6 /48. A
    /// /56 in it has a quarter of that, and a /64 a sixteenth.
    package struct Rates: Equatable, Sendable {
        package var createPerAddress = Rate(perMinute: 6000)
        package var createPerApp = Rate(perMinute: 60_000)
        /// Requests to brokers that a stranger can cause: authorization attempts, and exchanges of codes that may be
        /// invented.
        package var brokerCallsPerAddress = Rate(perMinute: 3000)
        /// Authorization attempts of one login.
        package var attemptsPerLogin = Rate(burst: 5, interval: .seconds(10))
        /// Polls of one login that are answered at once.
        package var poll = Rate(burst: 5, interval: .seconds(2))
        /// Requests for the page state of one login that are answered at once. The page exists only after a broker has
        /// responded, so this also bounds what all pages of an address can ask for.
        package var pageState = Rate(burst: 10, interval: .seconds(1))
        /// Requests whose DPoP proof we verify, and refresh tokens that we look up. A stranger can cause both.
        package var proofsPerAddress = Rate(perMinute: 60_000)
        /// Requests of one session, or of one login that begins a session.
        package var session = Rate(burst: 20, interval: .seconds(1))

        package init() {}
    }

    /// Most users need one authorization attempt. Each further attempt of a login counts as this many.
    private static let furtherAttemptCost = 4
    /// A caller that recently started at most this many logins may use the reserve of an app's bucket.
    private static let smallCallerLimit = 60

    private let addresses: AddressBuckets?
    private let apps: BucketTable<String>?
    private let attemptsByAddress: AddressBuckets?
    private let exchangesByAddress: AddressBuckets?
    private let attempts: BucketTable<LoginID>?
    private let polls: BucketTable<LoginID>?
    private let results: BucketTable<LoginID>?
    private let pageStates: BucketTable<LoginID>?
    private let proofsByAddress: AddressBuckets?
    private let sessions: BucketTable<SessionID>?
    private let beginnings: BucketTable<LoginID>?
    /// The tokens of an app's bucket that are reserved for callers with few logins.
    private let reserve: Int
    private let observe: @Sendable (RequestLimit, AddressClass?) -> Void

    /// `observe` is told each time a limit refuses something, with the class of the caller's address if the limit looks at
    /// addresses.
    package init(
        _ rates: Rates = Rates(), observe: @escaping @Sendable (RequestLimit, AddressClass?) -> Void = { _, _ in }
    ) {
        self.observe = observe
        self.addresses = rates.createPerAddress.map { AddressBuckets($0) }
        self.apps = rates.createPerApp.map { BucketTable($0) }
        self.attemptsByAddress = rates.brokerCallsPerAddress.map { AddressBuckets($0) }
        self.exchangesByAddress = rates.brokerCallsPerAddress.map { AddressBuckets($0) }
        self.attempts = rates.attemptsPerLogin.map { BucketTable($0) }
        self.polls = rates.poll.map { BucketTable($0) }
        self.results = rates.poll.map { BucketTable($0) }
        self.pageStates = rates.pageState.map { BucketTable($0) }
        self.proofsByAddress = rates.proofsPerAddress.map { AddressBuckets($0) }
        self.sessions = rates.session.map { BucketTable($0) }
        self.beginnings = rates.session.map { BucketTable($0) }
        self.reserve = (rates.createPerApp?.burst ?? 0) / 4
    }

    func takeCreate(from address: IPAddress, at now: Duration) throws(Problem) {
        try self.check(self.addresses?.take(address, at: now), .createPerAddress, from: address)
    }

    /// Reserves a quarter of the app's bucket for callers with few logins, so that one network cannot shut out all
    /// others.
    func takeCreate(for app: String, from address: IPAddress, at now: Duration) throws(Problem) {
        let isFew = (self.addresses?.used(address, at: now) ?? 0) <= Self.smallCallerLimit
        try self.check(self.apps?.take(app, at: now, leaving: isFew ? 0 : self.reserve), .createPerApp, from: address)
    }

    /// Counts a poll that is answered at once. The first poll of a login finds a full bucket.
    func takePoll(of login: LoginID, at now: Duration) throws(Problem) {
        try self.check(self.polls?.take(login, at: now), .pollsPerLogin)
    }

    /// Counts a response with the result of a login. It has the rate of polls and a bucket of its own, so that a phone
    /// that has polled too often still gets the result that its code or link has released.
    func takeResult(of login: LoginID, at now: Duration) throws(Problem) {
        try self.check(self.results?.take(login, at: now), .pollsPerLogin)
    }

    /// Counts a request for a page's state that is answered at once.
    func takePageState(of login: LoginID, at now: Duration) throws(Problem) {
        try self.check(self.pageStates?.take(login, at: now), .pageStatesPerLogin)
    }

    /// Counts a request whose DPoP proof we are about to verify.
    func takeProof(from address: IPAddress, at now: Duration) throws(Problem) {
        try self.check(self.proofsByAddress?.take(address, at: now), .proofsPerAddress, from: address)
    }

    /// Counts a request that only the holder of the session's key can make, so that no one can use up the requests of
    /// another session.
    func take(_ session: SessionID, at now: Duration) throws(Problem) {
        try self.check(self.sessions?.take(session, at: now), .requestsPerSession)
    }

    /// Counts a request with the right poll secret that begins a session.
    func takeBeginning(of login: LoginID, at now: Duration) throws(Problem) {
        try self.check(self.beginnings?.take(login, at: now), .requestsPerSession)
    }

    /// Notes that a create was refused because too many logins are pending, which are not counted here.
    func noteTooManyPending() { self.observe(.pendingLogins, nil) }

    /// Counts a request to a broker that a stranger can cause.
    func take(_ call: BrokerCall, from address: IPAddress, at now: Duration) throws(LoginFlowError) {
        switch call {
        case .exchange:
            try self.check(
                self.exchangesByAddress?.take(address, at: now), ofBrokers: .brokerCallsPerAddress, from: address)
        case .attempt(let login, let isFirst):
            try self.check(self.attempts?.take(login, at: now), ofBrokers: .attemptsPerLogin)
            let count = isFirst ? 1 : Self.furtherAttemptCost
            try self.check(
                self.attemptsByAddress?.take(address, at: now, count: count), ofBrokers: .brokerCallsPerAddress,
                from: address)
        }
    }

    private func check(
        _ verdict: RateLimitDecision?, ofBrokers limit: RequestLimit, from address: IPAddress? = nil
    ) throws(LoginFlowError) {
        guard case .refused(let time)? = verdict else { return }
        self.observe(limit, address.map { AddressClass($0) })
        throw .overBudget(retryAfter: time)
    }

    private func check(
        _ verdict: RateLimitDecision?, _ limit: RequestLimit, from address: IPAddress? = nil
    ) throws(Problem) {
        guard case .refused(let time)? = verdict else { return }
        self.observe(limit, address.map { AddressClass($0) })
        throw Problem(limit.code, retryAfter: time)
    }
}
