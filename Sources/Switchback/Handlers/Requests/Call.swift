/// One request on its way through a handler, and how it is answered.
import EventLoop
import HTTPServer
import HTTPWire

/// A class, so that the work on it refers to it and has no copy of the request.
final class Call: Sendable {
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

// MARK: - Answering

extension Call {
    /// From any thread. Only the first answer counts.
    func respond(_ response: consuming Response) { self.reply.respond(response) }

    func refuse(_ problem: Problem) { self.reply.refuse(problem) }

    /// Begins an answer in parts, in place of `respond`.
    func begin(_ response: consuming Response) -> ResponseStream { self.reply.begin(response) }

    /// Works on the loop, at once up to the first wait, and answers with what comes of it.
    func answer(_ work: nonisolated(nonsending) @escaping @Sendable () async throws(Problem) -> Response) {
        let reply = self.reply
        Task.immediate(executorPreference: self.loop) {
            do throws(Problem) {
                reply.respond(try await work())
            } catch {
                reply.refuse(error)
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
