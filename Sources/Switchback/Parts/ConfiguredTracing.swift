import Base
import EventLoop
import LoginAPI
import Outbound
import ServerConfiguration
import Telemetry
import Traces

/// What traces the work of a server, and sends the spans to the collector of the configuration.
struct ConfiguredTracing: Sendable {
    let tracer: SpanTracer
    let requests: RequestTracer
    /// Nil if the store is in memory: it asks no database.
    let store: StoreTrace?
    let exporter: SpanExporter

    /// Nil if nothing is traced. Throws if the collector cannot be called, usually because of a certificate.
    init?(_ configuration: Configuration, loop: EventLoop, _ metrics: ServerMetrics, _ lines: RepeatedLines) throws {
        guard let collector = TraceCollector(configuration.tracing) else { return nil }
        let queue = SpanQueue()
        self.tracer = SpanTracer(share: configuration.tracing.ratio, queue: queue)
        self.requests = RequestTracer(self.tracer, parents: RequestTracer.Parents(configuration.tracing.parents))
        self.store = StoreTrace(configuration.store)
        let source = TraceExport.Source(
            service: configuration.tracing.serviceName, version: ServerVersion.text, instance: RequestNumber().text)
        let client: OutboundClient
        do throws(OperatorError) {
            client = try OutboundClient(loop: loop, settings: collector.outbound)
        } catch {
            throw OperatorError("tracing.ca_file: \(error)")
        }
        self.exporter = SpanExporter(
            SpanExporter.Settings(url: collector.url.text, fields: collector.fields, source: source), queue,
            client: client, lines: lines)
        self.exporter.register(in: metrics.registry)
    }
}

extension StoreTrace {
    fileprivate init?(_ store: ServerSettings.Store) {
        switch store {
        case .memory: return nil
        case .sqlite, .postgresql: self.init(system: store.rawValue)
        }
    }
}

extension RequestTracer.Parents {
    fileprivate init(_ parents: TracingSettings.Parents) {
        switch parents {
        case .continue: self = .continue
        case .link: self = .link
        }
    }
}
