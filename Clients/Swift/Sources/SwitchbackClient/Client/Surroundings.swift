/// Everything that a client takes from outside: the network, two clocks, sleep and chance.
import Foundation

/// `init` and `urlSession` make the real ones; tests put in their own.
public struct Surroundings: Sendable {
    /// Sends a request and returns the answer, whatever its status. It follows no redirect, keeps no cookie and no cache, ends
    /// when its task is cancelled, and throws when there is no answer within the request's `timeout`.
    public var transport: @Sendable (HTTPRequest) async throws -> HTTPResponse
    /// Returns after so many seconds, or throws when its task is cancelled.
    public var sleep: @Sendable (Double) async throws -> Void
    /// A clock that only goes forward.
    public var now: @Sendable () -> Moment
    /// The clock on the wall.
    public var today: @Sendable () -> Date
    /// 64 random bits nobody can guess: poll secrets are made of them.
    public var random: @Sendable () -> UInt64

    /// The real ones, with this transport.
    public init(transport: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.transport = transport
        // The other form of sleep needs iOS 16. Longer than a day is not asked for, and would not fit for long.
        self.sleep = { try await Task.sleep(nanoseconds: UInt64(min(max($0, 0), 86_400) * 1_000_000_000)) }
        self.now = { Moment.now() }
        self.today = { Date() }
        self.random = {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        }
    }

    /// From 0 to 1.
    var chance: Double { Double(self.random() >> 11) / Double(UInt64(1) << 53) }
}
