import Tracing

/// The bodies of an export of spans over HTTP (OTLP 1.x, `opentelemetry/proto/collector/trace/v1`).
package enum TraceExport {
    package static let contentType = "application/x-protobuf"

    /// Longer texts are cut off.
    static let longestText = 256

    /// Nearly all spans of ours are shorter.
    private static let usualByteCount = 512

    /// The service that recorded the spans (`service.name` and `service.version`).
    package struct Source: Sendable {
        let service: String
        let version: String
        /// Tells servers of the same name apart.
        let instance: String

        package init(service: String, version: String, instance: String) {
            self.service = service
            self.version = version
            self.instance = instance
        }
    }

    /// Returns the message ExportTraceServiceRequest, with spans that `message` has made.
    package static func request(_ spans: [[UInt8]], from source: Source) -> [UInt8] {
        var request = ProtobufWriter(capacity: spans.reduce(Self.usualByteCount) { $0 + $1.count + 4 })
        request.write(1) { resourceSpans in
            resourceSpans.write(1) { resource in
                Self.write(1, "service.name", .text(source.service), to: &resource)
                Self.write(1, "service.version", .text(source.version), to: &resource)
                Self.write(1, "service.instance.id", .text(source.instance), to: &resource)
            }
            resourceSpans.write(2) { scopeSpans in
                scopeSpans.write(1) { scope in
                    scope.write(1, "switchback")
                    scope.write(2, source.version)
                }
                for span in spans { scopeSpans.message(2, span) }
            }
        }
        return request.bytes
    }

    /// Returns the message Span.
    static func message(_ span: SpanRecord, in place: SpanPlace) -> [UInt8] {
        var message = ProtobufWriter(capacity: Self.usualByteCount)
        message.write(1, place.trace)
        message.write(2, span.id)
        message.write(3, place.state)
        if let parent = span.parent ?? place.parent { message.write(4, parent) }
        message.write(5, Self.short(span.name))
        message.write(6, span.kind.number)
        message.write(7, fixed: span.start)
        message.write(8, fixed: span.end)
        for (name, value) in span.attributes.items { Self.write(9, name, value, to: &message) }
        for event in span.events {
            message.write(11) { item in
                item.write(1, fixed: event.time)
                item.write(2, event.name)
                for (name, value) in event.attributes.items { Self.write(3, name, value, to: &item) }
            }
        }
        for link in span.links {
            message.write(13) { item in
                item.write(1, link.trace)
                item.write(2, link.span)
            }
        }
        if let status = span.status {
            message.write(15) { item in
                item.write(2, status.message ?? "")
                item.write(3, status.code == .error ? 2 : 1)
            }
        }
        return message.bytes
    }

    private static func write(
        _ field: Int, _ name: String, _ value: AttributeList.Value, to message: inout ProtobufWriter
    ) {
        message.write(field) { item in
            item.write(1, name)
            item.write(2) { any in
                switch value {
                case .number(let number): any.member(3, UInt64(bitPattern: number))
                case .truth(let truth): any.member(2, truth ? 1 : 0)
                case .fraction(let number): any.member(4, fixed: number.bitPattern)
                case .text(let text): any.member(1, Self.short(text))
                }
            }
        }
    }

    /// A text never has more characters than bytes.
    private static func short(_ text: String) -> String {
        text.utf8.count <= Self.longestText ? text : String(text.prefix(Self.longestText))
    }

    /// Returns how many spans the collector has refused of an export that it took (ExportTraceServiceResponse). What is
    /// no such message refuses none.
    package static func refusedCount(in response: [UInt8]) -> Int {
        guard let fields = ProtobufReader.fields(response) else { return 0 }
        var count = 0
        for field in fields where field.number == 1 {
            guard case .bytes(let message) = field.value, let parts = ProtobufReader.fields(message) else { continue }
            for part in parts where part.number == 1 {
                if case .varint(let number) = part.value { count = Int(clamping: max(0, Int64(bitPattern: number))) }
            }
        }
        return count
    }
}

extension ProtobufWriter {
    fileprivate mutating func write(_ field: Int, _ id: TraceID) { self.write(field, bigEndian: id.high, id.low) }

    fileprivate mutating func write(_ field: Int, _ id: SpanID) { self.write(field, bigEndian: id.number) }
}

extension SpanKind {
    fileprivate var number: UInt64 {
        switch self {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }
}
