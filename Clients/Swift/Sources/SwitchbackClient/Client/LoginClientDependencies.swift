import Foundation

/// A step of a running login.
package enum LoginStep: Sendable {
    /// A request, a timer or a state comes next.
    case sends, waits, shows
    /// All effects of an event were performed.
    case handled
    /// The login handles no event any more.
    case ended
}

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
    /// Gets what the library does, for the app's log or metrics. It is called on any thread, and must return at once.
    public var log: @Sendable (LogEvent) -> Void = { _ in }
    /// Gets each step of a login when the login decides on it, before a task or a stream carries it out. A test that
    /// has counted them knows what is still to come, and needs no time to be sure that nothing more comes.
    package var observe: @Sendable (LoginStep) -> Void = { _ in }

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

    /// Sends a request with the library's `User-Agent`, and logs it as this call.
    func send(_ request: HTTPRequest, as call: String, reference: String?) async throws -> HTTPResponse {
        let fields = request.fields.merging(["User-Agent": ClientVersion.userAgent]) { $1 }
        let request = HTTPRequest(
            method: request.method, url: request.url, fields: fields, body: request.body, timeout: request.timeout)
        do {
            let response = try await self.transport(request)
            self.log(LogEvent(.request, reference: reference, ["call": call, "status": "\(response.status)"]))
            return response
        } catch {
            // A poll that was abandoned is no event.
            if !Task.isCancelled { self.log(LogEvent(.request, reference: reference, ["call": call])) }
            throw error
        }
    }

    /// A random number from 0 to 1.
    var jitter: Double { Double(self.random() >> 11) / Double(UInt64(1) << 53) }
}
