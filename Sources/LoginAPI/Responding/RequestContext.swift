import EventLoop
import HTTPServer
import HTTPWire
import Logins
import OpenIDConnect
import Traces

/// One request in a handler, with its reply.
///
/// It is a class, so that the work on it holds a reference and not a copy of the request.
final class RequestContext: Sendable {
    let request: Request
    /// All that a waiting request needs to keep.
    let reply: Reply

    init(_ request: Request, _ reply: Reply) {
        self.request = request
        self.reply = reply
    }

    var loop: EventLoop { self.reply.loop }

    /// The client's address, behind trusted proxies.
    var client: IPAddress { self.reply.client }
}

// MARK: - Asking brokers

extension RequestContext {
    /// Returns the caller, with its budget for requests to brokers.
    func clientContext(_ limits: RequestLimits, agent: UserAgent = .missing) -> ClientContext {
        let (client, loop) = (self.client, self.loop)
        return ClientContext(address: self.address, network: self.network, agent: agent) {
            call throws(LoginFlowError) in
            try limits.take(call, from: client, at: loop.elapsed)
        }
    }

    /// Runs `work`. Its requests to brokers take turns with those of other networks.
    nonisolated(nonsending) func inTurn<Value, Failure>(
        _ work: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await FetchContext.$current.withValue(FetchContext(caller: self.network)) {
            () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Nil if the client's address is unknown.
    var address: String? { self.client.isUnspecified ? nil : self.client.description }

    private var network: [UInt8] { self.client.network(48).bytes }
}

// MARK: - Answering

extension RequestContext {
    /// Safe to call on any thread. Only the first response counts.
    func respond(_ response: consuming Response) { self.reply.respond(response) }

    func refuse(_ problem: Problem) { self.reply.refuse(problem) }

    /// Begins a response in parts, instead of `respond`.
    func begin(_ response: consuming Response) -> ResponseStream { self.reply.begin(response) }

    /// Runs `work` on the loop, immediately until its first suspension, and responds with its result.
    @discardableResult
    func respondAsync(
        _ work: nonisolated(nonsending) @escaping @Sendable () async throws(Problem) -> Response
    ) -> Task<Void, Never> {
        let reply = self.reply
        return Task.immediate(executorPreference: self.loop) {
            await WorkContext.$current.withValue(reply.work) {
                do throws(Problem) {
                    reply.respond(try await work())
                } catch {
                    reply.refuse(error)
                }
            }
        }
    }
}

extension RequestContext {
    /// Does the same, but cancels the task when the client leaves: no one else needs the result.
    func respondWhileConnected(
        _ work: nonisolated(nonsending) @escaping @Sendable () async throws(Problem) -> Response
    ) {
        let task = self.respondAsync(work)
        self.reply.onGone { [reply] in
            task.cancel()
            reply.abandon()
        }
    }
}

// MARK: - Reading

extension RequestContext {
    /// True for HEAD, which must change nothing.
    var isHead: Bool { self.request.method == .head }

    /// True if a browser loads this before its user has asked for it.
    var isPrefetch: Bool {
        let purposes = self.request.fields.all(.secPurpose) + self.request.fields.all(.purpose)
        return purposes.contains { $0.lowercased().contains("prefetch") }
    }

    /// The languages that the browser prefers, the best first.
    var languages: [String] { self.request.fields.preferredLanguages }
}

/// The time since an arbitrary point, which is the same on all loops.
extension EventLoop {
    var elapsed: Duration { .milliseconds(self.now) }
}
