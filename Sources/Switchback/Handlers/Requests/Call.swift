/// One request on its way through a handler, and how it is answered.
import EventLoop
import HTTPServer
import HTTPWire
import JOSE

package struct Call: Sendable {
    package typealias Answer = @Sendable (Response) -> Void
    package typealias Begin = @Sendable (Response) -> ResponseStream

    package let request: Request
    package let loop: EventLoop
    /// Who asks, behind the proxies that are trusted.
    package let client: IPAddress
    /// Names this request in the answer and in the log.
    package let id: String
    package let startedAt: ContinuousClock.Instant
    /// Answers it, from any thread. Only the first answer counts.
    package private(set) var respond: Answer
    /// Begins an answer in parts, in place of `respond`.
    package private(set) var begin: Begin
    /// Does the action on the loop when the client leaves before it is answered.
    package let onGone: @Sendable (@escaping @Sendable () -> Void) -> Void

    package init(
        _ request: Request, on loop: EventLoop, from client: IPAddress, respond: @escaping Answer,
        begin: @escaping Begin, onGone: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.request = request
        self.loop = loop
        self.client = client
        self.id = Base64URL.encode(RandomBytes.make(9))
        self.startedAt = .now
        self.respond = respond
        self.begin = begin
        self.onGone = onGone
    }

    /// The same call, whose answers go through `finish` first.
    func finishing(_ finish: @escaping @Sendable (Response) -> Response) -> Call {
        var call = self
        // Not the call itself: what answers a held request is kept for as long as it is held.
        let (respond, begin) = (self.respond, self.begin)
        call.respond = { respond(finish($0)) }
        call.begin = { begin(finish($0)) }
        return call
    }
}

// MARK: - Answering

extension Call {
    /// What is left of a call whose request has been read: no more than it takes to answer it, since thousands may wait.
    struct Reply: Sendable {
        fileprivate let id: String
        let respond: Answer

        func refuse(_ problem: Problem) { self.respond(problem.response(requestID: self.id)) }
    }

    var reply: Reply { Reply(id: self.id, respond: self.respond) }

    func refuse(_ problem: Problem) { self.reply.refuse(problem) }

    /// Works on the loop, at once up to the first wait, and answers with what comes of it.
    func answer(_ work: nonisolated(nonsending) @escaping @Sendable () async throws(Problem) -> Response) {
        Task.immediate(executorPreference: self.loop) {
            do throws(Problem) {
                self.respond(try await work())
            } catch {
                self.refuse(error)
            }
        }
    }
}

// MARK: - Reading

extension Call {
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
