import Base
import OpenIDConnect
import Outbound
import Traces
import Tracing

/// The span of each request to a broker, and what connects it with the broker's own records.
struct BrokerTrace: Sendable {
    let broker: String
    let sendsTraceParent: Bool

    /// Returns nil if nothing is recorded. No URL is in it, because a query may contain anything.
    func begin(_ request: ProviderRequest, _ work: WorkContext?) -> RecordedSpan? {
        guard let span = work?.span?.child("\(request.method.rawValue) \(request.purpose.rawValue)", .client) else {
            return nil
        }
        span.note { attributes in
            attributes["http.request.method"] = .text(request.method.rawValue)
            attributes["server.address"] = EndpointURL(request.url).map { .text($0.host) }
            attributes["switchback.broker"] = .text(self.broker)
            attributes["switchback.purpose"] = .text(request.purpose.rawValue)
        }
        return span
    }

    /// The fields that tell the broker our trace.
    func fields(of span: RecordedSpan) -> [Parameter] {
        guard self.sendsTraceParent else { return [] }
        var fields: [Parameter] = []
        span.tracer.inject(span.context, into: &fields, using: ParameterInjector())
        return fields
    }

    func end(
        _ span: RecordedSpan?, _ result: Result<OutboundResponse, OutboundError>, _ waitTime: Duration,
        _ brokerRequest: String?
    ) {
        guard let span else { return }
        span.note { attributes in
            attributes["switchback.queued_ms"] = .number(Int64(waitTime / .milliseconds(1)))
            attributes["switchback.broker_request_id"] = brokerRequest.map { .text($0) }
            switch result {
            case .success(let response):
                attributes["http.response.status_code"] = .number(Int64(response.status))
                if response.status >= 400 { attributes["error.type"] = .text(String(response.status)) }
            case .failure(let error): attributes["error.type"] = .text(FetchError(error).raw)
            }
        }
        if (try? result.get()).map({ $0.status >= 400 }) ?? true { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }
}

extension BrokerTrace {
    /// The fields in which servers name a request in their own log, the most telling first. The last one is W3C's (Trace
    /// Context Level 2 §4).
    private static let names = ["x-correlation-id", "x-request-id", "traceresponse"]
    private static let longest = 64

    /// How the broker names this request in its own log. Nil unless it is a short word of plain characters, because it
    /// stands in our log as it came. A number without letters could be that of a person.
    static func requestID(in response: OutboundResponse) -> String? {
        for name in Self.names {
            guard let value = response[name], !value.isEmpty else { continue }
            return Self.isPlain(value) ? value : nil
        }
        return nil
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= Self.longest && text.contains(where: \.isLetter)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                    UInt8(ascii: ":"):
                    true
                default: false
                }
            }
    }
}

/// Adds a field of a trace to those of a request.
private struct ParameterInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout [Parameter]) {
        fields.append(Parameter(key, value))
    }
}
