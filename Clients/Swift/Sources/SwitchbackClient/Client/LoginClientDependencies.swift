import Foundation

/// What the client needs from outside: the network, two clocks, sleep and randomness.
///
/// `urlSession()` returns the real ones, and `init` takes a transport of your own. Tests replace the others.
public struct LoginClientDependencies: Sendable {
    /// Sends a request and returns the response, whatever its status. It must not follow redirects, or keep cookies or
    /// a cache. It stops when its task is cancelled, and throws when no response arrives within the request's
    /// `timeout`.
    public var transport: @Sendable (HTTPRequest) async throws -> HTTPResponse
    /// Returns after this many seconds, or throws when its task is cancelled.
    public var sleep: @Sendable (Double) async throws -> Void
    /// A clock that never goes back.
    public var now: @Sendable () -> MonotonicInstant
    /// The wall clock.
    public var date: @Sendable () -> Date
    /// Returns 64 random bits that cannot be guessed. Poll secrets are made of them.
    public var random: @Sendable () -> UInt64

    /// Creates the real dependencies, with this transport.
    public init(transport: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.transport = transport
        // `Task.sleep(for:)` needs iOS 16. No wait is longer than a day, and the nanoseconds of a much longer one would
        // overflow.
        self.sleep = { try await Task.sleep(nanoseconds: UInt64(min(max($0, 0), 86_400) * 1_000_000_000)) }
        self.now = { MonotonicInstant.now() }
        self.date = { Date() }
        self.random = {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        }
    }

    /// A random number from 0 to 1.
    var jitter: Double { Double(self.random() >> 11) / Double(UInt64(1) << 53) }
}
