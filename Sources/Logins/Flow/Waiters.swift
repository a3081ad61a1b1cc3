/// Who waits for a login to change.
///
/// Use it in this order, or a wake-up is lost: begin to wait, look at the login, sleep, look again. A wake-up says only
/// that there may be something new. A waiter is a closure in a table, woken once: no task and no timer.
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
    package struct Token: Hashable, Sendable {
        fileprivate let login: LoginID
        fileprivate let number: UInt64
    }

    private struct Waiter {
        let number: UInt64
        let wake: Wake
    }

    private struct Contents {
        var byLogin: [LoginID: [Waiter]] = [:]
        var nextNumber: UInt64 = 0
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

    /// Calls `wake` once, on whatever thread, when the login may have changed or a newer waiter took this one's place.
    package func begin(for login: LoginID, _ wake: @escaping Wake) -> Token {
        self.store?.watch(login)
        let (token, pushedOut) = self.contents.withLock { contents in
            contents.nextNumber += 1
            let number = contents.nextNumber
            var waiters = contents.byLogin[login] ?? []
            let oldest = waiters.count < self.mostForOneLogin ? nil : waiters.removeFirst()
            waiters.append(Waiter(number: number, wake: wake))
            contents.byLogin[login] = waiters
            contents.count += oldest == nil ? 1 : 0
            return (Token(login: login, number: number), oldest)
        }
        if let pushedOut {
            self.store?.unwatch(login)
            pushedOut.wake(.over)
        }
        return token
    }

    /// Ends a waiting. False when it was woken already.
    @discardableResult
    package func end(_ token: Token) -> Bool {
        let isEnded = self.contents.withLock { contents in
            guard var waiters = contents.byLogin[token.login],
                let index = waiters.firstIndex(where: { $0.number == token.number })
            else { return false }
            waiters.remove(at: index)
            contents.byLogin[token.login] = waiters.isEmpty ? nil : waiters
            contents.count -= 1
            return true
        }
        if isEnded { self.store?.unwatch(token.login) }
        return isEnded
    }

    /// Wakes all who wait for this login.
    package func wake(_ login: LoginID) {
        // Taken out under the lock, woken outside it: whoever wakes may come straight back here.
        let waiters = self.contents.withLock { contents in
            let waiters = contents.byLogin.removeValue(forKey: login) ?? []
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
            for waiter in waiters {
                self.store?.unwatch(login)
                waiter.wake(.over)
            }
        }
    }
}
