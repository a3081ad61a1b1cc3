import Base
import EventLoop
import Logging
import Outbound
import Synchronization
import Traces

/// Sends spans to a collector in batches (OTLP over HTTP), in a task of its own. Nothing waits for it: while the
/// collector does not take them, at most one batch and a full queue are kept, and further spans are dropped and counted.
package final class SpanExporter: Sendable {
    package struct Settings: Sendable {
        package let url: String
        /// What the collector wants to see, such as a token.
        package let fields: [Parameter]
        package let source: TraceExport.Source

        package init(url: String, fields: [Parameter], source: TraceExport.Source) {
            self.url = url
            self.fields = fields
            self.source = source
        }
    }

    /// A batch has less than a megabyte.
    private static let batchSize = 512
    private static let interval = Duration.seconds(1)
    /// A request costs more than the few spans that end during the one before it. The queue is far longer than what ends
    /// in this time.
    private static let pause = Duration.milliseconds(200)
    private static let timeout = Duration.seconds(10)

    private struct State {
        /// Messages of OTLP.
        var batch: [[UInt8]] = []
        var task: Task<Void, Never>?
        var exportedCount = 0
        var refusedCount = 0
    }

    private let settings: Settings
    private let queue: SpanQueue
    private let client: OutboundClient
    private let lines: RepeatedLines
    private let state = Mutex(State())

    /// `client` talks to the collector only, and is closed with the exporter.
    package init(_ settings: Settings, _ queue: SpanQueue, client: OutboundClient, lines: RepeatedLines) {
        self.settings = settings
        self.queue = queue
        self.client = client
        self.lines = lines
    }

    package func register(in registry: MetricsRegistry) {
        registry.observe(Metric.traceSpans, ["exported"]) { Double(self.state.withLock { $0.exportedCount }) }
        registry.observe(Metric.traceSpans, ["dropped"]) { Double(self.queue.dropped) }
        registry.observe(Metric.traceSpans, ["refused"]) { Double(self.state.withLock { $0.refusedCount }) }
    }

    package func start(by clock: any Clock<Duration>) {
        let task = Task { await self.run(by: clock) }
        self.state.withLock { $0.task = task }
    }

    /// Sends what is left, for at most `limit`, and closes the connection.
    package func stop(within limit: Duration) async {
        let task = self.state.withLock { $0.task }
        task?.cancel()
        await task?.value
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end, self.refill(), await self.exportBatch(within: limit) == .taken {}
        await self.client.close()
    }

    private func run<C: Clock>(by clock: C) async where C.Duration == Duration {
        var backoff = ExportBackoff()
        while !Task.isCancelled {
            guard self.refill() else {
                try? await clock.sleep(for: Self.interval)
                continue
            }
            switch await self.exportBatch(within: Self.timeout) {
            case .taken: backoff.noteSuccess()
            case .refused: break
            case .later(let askedPause):
                try? await clock.sleep(for: backoff.pause(asked: askedPause))
                continue
            }
            if self.queue.count < Self.batchSize { try? await clock.sleep(for: Self.pause) }
        }
    }

    /// Takes a new batch, unless one is left. Returns false if there is nothing to export.
    private func refill() -> Bool {
        self.state.withLock { state in
            if state.batch.isEmpty { state.batch = self.queue.take(atMost: Self.batchSize) }
            return !state.batch.isEmpty
        }
    }

    private func exportBatch(within limit: Duration) async -> ExportBackoff.Verdict {
        let batch = self.state.withLock { $0.batch }
        let fields = [Parameter("Content-Type", TraceExport.contentType)] + self.settings.fields
        // A span that arrives twice does no harm, so a kept connection may be used.
        let request = OutboundRequest(
            method: .post, delivery: .idempotent, url: self.settings.url, fields: fields,
            body: TraceExport.request(batch, from: self.settings.source), deadline: limit)
        let verdict: ExportBackoff.Verdict
        do throws(OutboundError) {
            let response = try await self.client.send(request)
            verdict = ExportBackoff.verdict(response)
            self.note(verdict, response)
        } catch {
            verdict = .later(nil)
            if error != .cancelled { self.report("\(error)") }
        }
        return verdict
    }

    private func note(_ verdict: ExportBackoff.Verdict, _ response: OutboundResponse) {
        let refusedCount = verdict == .taken ? TraceExport.refusedCount(in: response.body) : 0
        self.state.withLock { state in
            switch verdict {
            case .taken:
                let lost = min(refusedCount, state.batch.count)
                state.refusedCount += lost
                state.exportedCount += state.batch.count - lost
                state.batch = []
            case .refused:
                state.refusedCount += state.batch.count
                state.batch = []
            case .later: break
            }
        }
        if verdict != .taken { self.report("the collector answers \(response.status)") }
    }

    private func report(_ reason: String) {
        self.lines.log(
            level: .warning, "traces_not_exported", metadata: ["reason": "\(reason)"], kind: "traces_not_exported")
    }
}
