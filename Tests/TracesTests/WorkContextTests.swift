import Testing
import Tracing

@testable import Traces

/// A part of the work, such as an exchange, belongs to the request that caused it.
@Suite struct WorkContextTests {
    private let queue = SpanQueue()
    private let login = TraceID(high: 7, low: 9) ?? .random()

    @Test func `a part keeps the request and the login and has a span under the whole`() throws {
        let tracer = SpanTracer(share: 1, queue: self.queue)
        let whole = WorkContext(RequestNumber(), tracer.startSpan("POST /x", context: .topLevel, at: tracer.now))
        whole.note(login: self.login) { [:] }
        let part = whole.part("exchange")
        #expect(part.requestID == whole.requestID)
        #expect(part.login == self.login)
        part.span?.end()
        #expect(try self.queue.takeSpans().map(\.parent) == [whole.span?.id.bytes])
    }

    @Test func `work that no request has caused notes no login and its parts do`() throws {
        let tracer = SpanTracer(share: 1, queue: self.queue)
        let sweep = WorkContext(tracer)
        sweep.note(login: self.login) { [:] }
        #expect(sweep.login == nil)
        let part = sweep.part("exchange")
        part.note(login: self.login) { [:] }
        part.span?.end()
        let span = try #require(try self.queue.takeSpans().first)
        #expect(span.trace == self.login.bytes)
        #expect(span.parent == self.login.loginSpan.bytes)
    }

    @Test func `the first login counts`() throws {
        let work = WorkContext(RequestNumber(), nil)
        work.note(login: self.login) { [:] }
        work.note(login: try #require(TraceID(high: 1, low: 1))) { [:] }
        #expect(work.login == self.login)
    }

    @Test func `a part belongs to the request of the whole and to no other`() {
        let request = RequestNumber()
        let whole = WorkContext(request, nil)
        for work in [whole, whole.part("exchange")] {
            #expect(work.belongs(to: request))
            #expect(!work.belongs(to: RequestNumber()))
        }
        #expect(!WorkContext().belongs(to: request))
    }

    @Test func `without tracing nothing is recorded`() {
        let work = WorkContext(RequestNumber(), nil)
        #expect(work.trace == nil)
        #expect(work.part("exchange").span == nil)
    }
}
