/// One request on its way through a handler, and how it is answered.
import EventLoop
import HTTPServer
import HTTPWire
import Logins
import OpenIDConnect

/// A class, so that the work on it refers to it and has no copy of the request.
final class RequestContext: Sendable {
    let request: Request
    /// All that whoever waits to answer needs to keep.
    let reply: Reply

    init(_ request: Request, _ reply: Reply) {
        self.request = request
        self.reply = reply
    }

    var loop: EventLoop { self.reply.loop }

    /// Who asks, behind the proxies that are trusted.
    var client: IPAddress { self.reply.client }
}

// MARK: - Asking brokers

extension RequestContext {
    /// The caller, with what it may still make us ask brokers.
    func caller(_ limits: RequestLimits) -> Caller {
        let (client, loop) = (self.client, self.loop)
        return Caller(address: self.address, network: self.network) { call throws(LoginFlowError) in
            try limits.take(call, from: client, at: loop.elapsed)
        }
    }

    /// Does `work`, whose requests to brokers wait in turn with those of other networks.
    nonisolated(nonsending) func inTurn<Value, Failure>(
        _ work: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await FetchTurn.$current.withValue(FetchTurn(caller: self.network)) {
            () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Nil when nothing says where the client is.
    var address: String? { self.client.isUnspecified ? nil : self.client.description }

    private var network: [UInt8] { self.client.network(48).bytes }
}

// MARK: - Answering

extension RequestContext {
    /// From any thread. Only the first answer counts.
    func respond(_ response: consuming Response) { self.reply.respond(response) }

    func refuse(_ problem: Problem) { self.reply.refuse(problem) }

    /// Begins an answer in parts, in place of `respond`.
    func begin(_ response: consuming Response) -> ResponseStream { self.reply.begin(response) }

    /// Works on the loop, at once up to the first wait, and answers with what comes of it.
    @discardableResult
    func answer(
        _ work: nonisolated(nonsending) @escaping @Sendable () async throws(Problem) -> Response
    ) -> Task<Void, Never> {
        let reply = self.reply
        return Task.immediate(executorPreference: self.loop) {
            do throws(Problem) {
                reply.respond(try await work())
            } catch {
                reply.refuse(error)
            }
        }
    }
}

extension RequestContext {
    /// The same, and the task is cancelled when the client leaves: nobody else has anything of it.
    func answerWhileThere(
        _ work: nonisolated(nonsending) @escaping @Sendable () async throws(Problem) -> Response
    ) {
        let task = self.answer(work)
        self.reply.onGone { task.cancel() }
    }
}

// MARK: - Reading

extension RequestContext {
    /// True for HEAD, which changes nothing.
    var isHead: Bool { self.request.method == .head }

    /// True when a browser loads this before anybody has asked to see it.
    var isPrefetch: Bool {
        let purposes = self.request.fields.all(.secPurpose) + self.request.fields.all(.purpose)
        return purposes.contains { $0.lowercased().contains("prefetch") }
    }

    /// The languages that the browser would like, the most wanted first.
    var languages: [String] {
        let ranges = LanguageRange.list(self.request.fields.all(.acceptLanguage)).map(\.range)
        return Array(ranges.filter { !$0.contains("*") }.prefix(8))
    }
}

/// How late it is on a loop: time since an arbitrary moment, the same on all loops.
extension EventLoop {
    var elapsed: Duration { .milliseconds(self.now) }
}
