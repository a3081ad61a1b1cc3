import Base
import Synchronization

/// Opens connections to one address, each with the current password.
final class PostgresConnector: Sendable {
    private struct State {
        var password: PostgresPassword?
        /// The password that was read last. We use it while the file is being replaced.
        var last: Secret?
    }

    let address: PostgresAddress
    private let state: Mutex<State>

    /// If `password` is nil, the password in the address is used.
    init(_ address: PostgresAddress, _ password: PostgresPassword?) {
        self.address = address
        self.state = Mutex(State(password: password))
    }

    /// Sets the password of connections that are opened from now on.
    func replacePassword(with password: PostgresPassword?) {
        self.state.withLock { $0 = State(password: password) }
    }

    /// Opens a connection. It blocks, like `PostgresHandle.open`.
    func open() throws(PostgresError) -> PostgresHandle {
        guard let password = self.state.withLock({ $0.password }) else { return try PostgresHandle.open(self.address) }
        var advice = ""
        do throws(OperatorError) {
            let secret = try password.read()
            self.state.withLock { $0.last = secret }
        } catch {
            advice = " (the password cannot be read: \(error))"
        }
        return try self.open(with: self.state.withLock { $0.last }, advice)
    }

    private func open(with secret: Secret?, _ advice: String) throws(PostgresError) -> PostgresHandle {
        do throws(PostgresError) {
            return try PostgresHandle.open(secret.map { self.address.with(password: $0) } ?? self.address)
        } catch {
            guard !advice.isEmpty, case .other(let message) = error.cause else { throw error }
            throw PostgresError(error.kind, .other(message + advice))
        }
    }
}

extension PostgresSettings {
    /// Opens connections to `url`.
    var connector: PostgresConnector {
        get throws(StoreOpeningError) { PostgresConnector(try self.address, self.password) }
    }

    /// The address of the connections that listen for NOTIFY.
    package var listenAddress: PostgresAddress {
        get throws(StoreOpeningError) {
            guard let listenURL else { return try self.address }
            return try Self.address(listenURL, "postgresql.listen_url")
        }
    }

    /// Opens connections that listen. Their sessions get the name of the process, if it has one.
    func listenConnector(of process: ProcessName? = nil) throws(StoreOpeningError) -> PostgresConnector {
        let address = try self.listenAddress
        return PostgresConnector(
            process.map { address.named($0) } ?? address, self.listenPassword ?? self.password)
    }

    /// The address of the database.
    package var address: PostgresAddress {
        get throws(StoreOpeningError) { try Self.address(self.url, "postgresql.url") }
    }

    private static func address(_ url: Secret, _ setting: String) throws(StoreOpeningError) -> PostgresAddress {
        do throws(OperatorError) { return try PostgresAddress(url) } catch {
            throw StoreOpeningError(.address(error), at: setting)
        }
    }
}

/// The pause before the next try: longer each time, and random so that processes do not retry at the same time.
struct ReconnectBackoff {
    private static let first = Duration.milliseconds(100)
    private static let most = Duration.seconds(5)

    private var pause = Self.first

    /// Returns a pause between half of the current value and all of it. `random` is between 0 and 1.
    mutating func next(random: Double = .random(in: 0...1)) -> Duration {
        defer { self.pause = min(self.pause * 2, Self.most) }
        return self.pause * (0.5 + random / 2)
    }

    mutating func reset() { self.pause = Self.first }
}
