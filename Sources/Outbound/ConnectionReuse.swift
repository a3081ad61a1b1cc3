// Which of a client's open connections a request may use.

/// The connections that one request may use.
enum ConnectionReuse: Equatable {
    /// A new one.
    case none
    /// One that has been idle for at most so many seconds, or a new one.
    case idle(seconds: Int)

    /// In seconds. So we follow a server that moves to another address, even if its connections are never idle.
    static let longestLife = 120
}

/// Decides it for one client, so for one broker.
///
/// If a persistent connection ends before the response begins, libcurl sends the request again (RFC 9112 §9.3.1). It
/// cannot if bytes of the body were sent and cannot be rewound. So a request that may happen once uses an open
/// connection only if it has a body.
struct ReuseRule {
    /// Shorter than the idle time of usual servers, so that a request seldom meets a connection that is being closed.
    static let usual = ConnectionReuse.idle(seconds: 50)
    /// Shorter than that of nearly all servers: such a request fails with `.closed` if the server has just closed.
    static let once = ConnectionReuse.idle(seconds: 1)
    /// How long requests that may happen once use new connections after one has failed with `.closed`.
    static let pause = Duration.seconds(60)

    private var pauseEnd: ContinuousClock.Instant?

    func connections(for transfer: Transfer, now: ContinuousClock.Instant = .now) -> ConnectionReuse {
        let (request, settings) = (transfer.request, transfer.settings)
        guard request.delivery == .atMostOnce else { return Self.usual }
        // A connection stays that of the client certificate with which it began, even if the file has a new one.
        guard !request.body.isEmpty, settings.clientCertificateFile == nil else { return .none }
        return self.pauseEnd.map { now < $0 } ?? false ? .none : Self.once
    }

    /// Notes that a request has failed with `.closed`.
    mutating func noteClosed(now: ContinuousClock.Instant = .now) { self.pauseEnd = now + Self.pause }
}
