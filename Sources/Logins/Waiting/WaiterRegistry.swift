import Synchronization

/// The waiters of all logins.
///
/// Keep this order, or a wake-up can be lost: start to wait, look at the login, sleep, look again. A wake-up only means
/// that something may have changed. A waiter is an object in a table and wakes once; it needs no task and no timer.
package final class WaiterRegistry: Sendable {
    /// Why a waiter wakes.
    package enum WakeReason: Sendable {
        /// The login has changed or may have changed. It may be worth waiting again.
        case changed
        /// A newer waiter took its place, or the process is about to stop.
        case over
    }

    package typealias Wake = @Sendable (WakeReason) -> Void

    /// Identifies a waiter, so that the caller can end it.
    package struct Token: Sendable {
        fileprivate let login: LoginID
        fileprivate let waiter: any LoginWaiter
    }

    /// The waiters of one login, the oldest first. There is nearly always just one, which needs no array.
    private enum Waiting {
        case one(any LoginWaiter)
        case several([any LoginWaiter])

        /// Returns nil for an empty list.
        init?(_ all: [any LoginWaiter]) {
            guard let first = all.first else { return nil }
            self = all.count == 1 ? .one(first) : .several(all)
        }

        var all: [any LoginWaiter] {
            switch self {
            case .one(let waiter): [waiter]
            case .several(let waiters): waiters
            }
        }
    }

    private struct Contents {
        var byLogin = LoginDictionary<Waiting>()
        var count = 0
    }

    private let maxPerLogin: Int
    /// A store that watches for changes by other processes. It gets one `watch` call for each waiter.
    private let store: (any LoginStore)?
    private let contents = Mutex(Contents())

    /// A login has at most `maxPerLogin` waiters. A newer one wakes and replaces the oldest.
    package init(maxPerLogin: Int = 2, store: (any LoginStore)? = nil) {
        self.maxPerLogin = maxPerLogin
        self.store = store
    }

    package var count: Int { self.contents.withLock { $0.count } }

    /// Wakes `waiter` once, on any thread, when the login may have changed or a newer waiter takes its place. Do not
    /// start the same waiter again before it wakes or ends.
    package func add(for login: LoginID, _ waiter: any LoginWaiter) {
        self.store?.watch(login)
        let pushedOut = self.contents.withLock { contents -> (any LoginWaiter)? in
            var waiters = contents.byLogin[login]?.all ?? []
            let oldest = waiters.count < self.maxPerLogin ? nil : waiters.removeFirst()
            waiters.append(waiter)
            contents.byLogin[login] = Waiting(waiters)
            contents.count += oldest == nil ? 1 : 0
            return oldest
        }
        if let pushedOut {
            self.store?.unwatch(login)
            pushedOut.wake(.over)
        }
    }

    /// Starts a waiter that is a closure.
    package func add(for login: LoginID, _ wake: @escaping Wake) -> Token {
        let token = Token(login: login, waiter: ClosureWaiter(wake))
        self.add(for: login, token.waiter)
        return token
    }

    @discardableResult
    package func remove(_ token: Token) -> Bool { self.remove(token.login, token.waiter) }

    /// Ends a waiter. Returns false if it has already woken.
    @discardableResult
    package func remove(_ login: LoginID, _ waiter: any LoginWaiter) -> Bool {
        let isEnded = self.contents.withLock { contents in
            guard var waiters = contents.byLogin[login]?.all,
                let index = waiters.firstIndex(where: { $0 === waiter })
            else { return false }
            waiters.remove(at: index)
            contents.byLogin[login] = Waiting(waiters)
            contents.count -= 1
            return true
        }
        if isEnded { self.store?.unwatch(login) }
        return isEnded
    }

    /// Wakes all waiters of this login.
    package func wake(_ login: LoginID) {
        // Removed under the lock but woken outside it, because a waiter may call back into this class.
        let waiters = self.contents.withLock { contents in
            let waiters = contents.byLogin.removeValue(forKey: login)?.all ?? []
            contents.count -= waiters.count
            return waiters
        }
        for waiter in waiters {
            self.store?.unwatch(login)
            waiter.wake(.changed)
        }
    }

    /// Wakes every waiter, so that each long poll gets its response before the process stops.
    package func wakeAll() {
        let removedWaiters = self.contents.withLock { contents in
            defer {
                contents.byLogin = LoginDictionary()
                contents.count = 0
            }
            return contents.byLogin
        }
        for (login, waiters) in removedWaiters.all {
            for waiter in waiters.all {
                self.store?.unwatch(login)
                waiter.wake(.over)
            }
        }
    }
}

/// A waiter that calls a closure.
private final class ClosureWaiter: LoginWaiter {
    private let closure: WaiterRegistry.Wake

    init(_ closure: @escaping WaiterRegistry.Wake) { self.closure = closure }

    func wake(_ reason: WaiterRegistry.WakeReason) { self.closure(reason) }
}

/// An object that waits for a login to change.
///
/// It is an object and no closure because thousands wait: the table of `WaiterRegistry` then refers to objects that
/// exist anyway.
package protocol LoginWaiter: AnyObject, Sendable {
    /// Wakes the waiter: once for each `add`, on any thread.
    func wake(_ reason: WaiterRegistry.WakeReason)
}

/// The waiters of all logins, grouped by what they wait for.
struct LoginWaiters: Sendable {
    let polls: WaiterRegistry
    /// Browsers that show a page. They are separate from the polls, because anyone who knows a login's id can be one
    /// and must not take an app's place.
    let pages: WaiterRegistry
    /// Our own tasks that poll a broker.
    let transactions: WaiterRegistry

    init(store: any LoginStore) {
        self.polls = WaiterRegistry(store: store)
        self.pages = WaiterRegistry(store: store)
        self.transactions = WaiterRegistry(maxPerLogin: AuthorizationAttempt.maxAtOnce, store: store)
        let (polls, pages, transactions) = (self.polls, self.pages, self.transactions)
        store.observeChanges { [weak polls, weak pages, weak transactions] login in
            polls?.wake(login)
            pages?.wake(login)
            transactions?.wake(login)
        }
    }

    /// Wakes the waiters that the change concerns.
    func wake(_ login: Login, after before: Login) {
        let isNews = login.version != before.version
        if isNews { self.polls.wake(login.id) }
        // The page also changes when no try of its code is left. For the app nothing changes then.
        if isNews || login.canTryCode != before.canTryCode { self.pages.wake(login.id) }
        if isNews || login.returns != before.returns { self.transactions.wake(login.id) }
    }
}
