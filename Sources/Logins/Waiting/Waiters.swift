/// Who waits for a login to change.
///
/// Use it in this order, or a wake-up is lost: begin to wait, look at the login, sleep, look again. A wake-up says only
/// that there may be something new. A waiter is an object in a table, woken once: no task and no timer.
import Synchronization

package final class Waiters: Sendable {
    /// Why somebody is woken.
    package enum Reason: Sendable {
        /// The login has changed, or may have: it may be worth while to wait again.
        case changed
        /// A newer waiter took its place, or we are about to stop.
        case over
    }

    package typealias Wake = @Sendable (Reason) -> Void

    /// Names one waiting, to end it.
    package struct Token: Sendable {
        fileprivate let login: LoginID
        fileprivate let waiter: any LoginWaiter
    }

    /// Those who wait for one login, the oldest first: nearly always it is one, who needs no array.
    private enum Waiting {
        case one(any LoginWaiter)
        case several([any LoginWaiter])

        /// Nil when there is nobody.
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
        var byLogin: [LoginID: Waiting] = [:]
        var count = 0
    }

    private let mostForOneLogin: Int
    /// Whoever looks out for what other processes change is told who is waited for, once for each waiter.
    private let store: (any LoginStore)?
    private let contents = Mutex(Contents())

    /// A login has at most so many; a newer one wakes the oldest.
    package init(mostForOneLogin: Int = 2, store: (any LoginStore)? = nil) {
        self.mostForOneLogin = mostForOneLogin
        self.store = store
    }

    package var count: Int { self.contents.withLock { $0.count } }

    /// Wakes `waiter` once, on whatever thread, when the login may have changed or a newer waiter took this one's place.
    /// It must not begin again before it was woken or has ended.
    package func begin(for login: LoginID, _ waiter: any LoginWaiter) {
        self.store?.watch(login)
        let pushedOut = self.contents.withLock { contents -> (any LoginWaiter)? in
            var waiters = contents.byLogin[login]?.all ?? []
            let oldest = waiters.count < self.mostForOneLogin ? nil : waiters.removeFirst()
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

    /// The same for who is no object.
    package func begin(for login: LoginID, _ wake: @escaping Wake) -> Token {
        let token = Token(login: login, waiter: WakingClosure(wake))
        self.begin(for: login, token.waiter)
        return token
    }

    @discardableResult
    package func end(_ token: Token) -> Bool { self.end(token.login, token.waiter) }

    /// Ends a waiting. False when it was woken already.
    @discardableResult
    package func end(_ login: LoginID, _ waiter: any LoginWaiter) -> Bool {
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

    /// Wakes all who wait for this login.
    package func wake(_ login: LoginID) {
        // Taken out under the lock, woken outside it: whoever wakes may come straight back here.
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

    /// Wakes everybody, so that every held poll is answered with what is true: we are about to stop.
    package func wakeAll() {
        let all = self.contents.withLock { contents in
            defer {
                contents.byLogin = [:]
                contents.count = 0
            }
            return contents.byLogin
        }
        for (login, waiters) in all {
            for waiter in waiters.all {
                self.store?.unwatch(login)
                waiter.wake(.over)
            }
        }
    }
}

/// Wakes by a closure.
private final class WakingClosure: LoginWaiter {
    private let closure: Waiters.Wake

    init(_ closure: @escaping Waiters.Wake) { self.closure = closure }

    func wake(_ reason: Waiters.Reason) { self.closure(reason) }
}

/// Somebody who waits for a login to change.
///
/// An object rather than a closure, because thousands wait: the table of `Waiters` holds what is there anyway.
package protocol LoginWaiter: AnyObject, Sendable {
    /// Once for each waiting, on whatever thread.
    func wake(_ reason: Waiters.Reason)
}

/// All who wait for logins, by what they wait for.
struct LoginWaiters: Sendable {
    let polls: Waiters
    /// Browsers that look at a page: whoever knows a login's id can be one, so they take no app's place.
    let pages: Waiters
    /// Tasks of ours that ask a broker.
    let trips: Waiters

    init(store: any LoginStore) {
        self.polls = Waiters(store: store)
        self.pages = Waiters(store: store)
        self.trips = Waiters(mostForOneLogin: Opening.mostAtOnce, store: store)
        let (polls, pages, trips) = (self.polls, self.pages, self.trips)
        store.observeChanges { [weak polls, weak pages, weak trips] login in
            polls?.wake(login)
            pages?.wake(login)
            trips?.wake(login)
        }
    }

    /// Wakes those to whom the difference says something.
    func wake(_ login: Login, after before: Login) {
        let isNews = login.version != before.version
        if isNews { self.polls.wake(login.id) }
        // The page also says when the tries of its code are used up, which is no change for the app.
        if isNews || login.mayTryCode != before.mayTryCode { self.pages.wake(login.id) }
        if isNews || login.returns != before.returns { self.trips.wake(login.id) }
    }
}
