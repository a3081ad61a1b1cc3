import Synchronization

/// The logins whose results this process has sent to their apps, until they are acknowledged.
///
/// It remembers at most 100,000: apps that never acknowledge must not fill the memory.
final class Deliveries: Sendable {
    private static let generationSize = 50_000

    private struct Contents {
        var recent: Set<LoginID> = []
        var former: Set<LoginID> = []
    }

    private let contents = Mutex(Contents())

    func note(_ login: LoginID) {
        self.contents.withLock { contents in
            guard !contents.former.contains(login) else { return }
            contents.recent.insert(login)
            guard contents.recent.count >= Self.generationSize else { return }
            (contents.former, contents.recent) = (contents.recent, [])
        }
    }

    /// Forgets the login. Returns whether it was sent.
    @discardableResult
    func take(_ login: LoginID) -> Bool {
        self.contents.withLock { contents in
            contents.recent.remove(login) != nil || contents.former.remove(login) != nil
        }
    }
}
