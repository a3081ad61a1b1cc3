import Base
import Synchronization

/// The server's log lines, by the login that they tell of. They contain no secret: the server logs none.
package final class LoginLog: Sendable {
    private static let lifetime = Duration.seconds(3600)
    private static let field = "login="
    /// Of one login.
    private static let limit = 200

    private let now: @Sendable () -> Timestamp
    private let lines = Mutex(ExpiringTable<[String]>(lifetime: LoginLog.lifetime, limit: 5000))

    package init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    /// Keeps a line as the server writes it to a terminal, if it tells of a login.
    package func take(_ bytes: [UInt8]) {
        let line = String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" }
        guard let field = line.split(separator: " ").first(where: { $0.hasPrefix(Self.field) }) else { return }
        let (login, now) = (String(field.dropFirst(Self.field.count)), self.now())
        self.lines.withLock { lines in
            _ = lines.insert([], for: login, at: now)
            lines.change(login) { if $0.count < Self.limit { $0.append(line) } }
        }
    }

    package func lines(of login: String) -> [String] {
        let now = self.now()
        return self.lines.withLock { $0.value(for: login, at: now) ?? [] }
    }
}
