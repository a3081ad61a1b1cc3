import Base
import OpenIDConnect
import Outbound

/// Where spans go: the collector of `tracing.endpoint`.
package struct TraceCollector: Sendable {
    package let url: EndpointURL
    package let fields: [Parameter]
    private let caFile: String?

    /// Nil if there is none.
    package init?(_ settings: SettingValues<TracingSettings>) {
        guard let url = settings.endpoint.flatMap({ EndpointURL($0) }) else { return nil }
        self.url = url
        self.fields = settings.headers.flatMap { Self.fields($0) } ?? []
        self.caFile = settings.caFile
    }

    /// The only host that its client may talk to. An operator chose it, so it may be in the own network.
    package var outbound: OutboundSettings {
        var outbound = OutboundSettings(allowedHosts: [self.url.host])
        outbound.caFile = self.caFile
        outbound.allowPrivateAddresses = true
        if self.url.scheme == .http {
            outbound.allowInsecureLoopback = true
            outbound.insecureHosts = [self.url.host]
        }
        outbound.maxConnections = 1
        return outbound
    }

    /// Reads `name=value,name=value` with values in percent-encoding (OpenTelemetry Protocol Exporter, "Specifying
    /// headers via environment variables"). Nil if it is not that.
    static func fields(_ text: String) -> [Parameter]? {
        var fields: [Parameter] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let equals = part.firstIndex(of: "=") else { return nil }
            let name = part[..<equals].filter { $0 != " " }
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken),
                let value = Self.decoded(part[part.index(after: equals)...]),
                value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { return nil }
            fields.append(Parameter(String(name), value))
        }
        return fields
    }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = String(rest.prefix(2)), digits.utf8.count == 2, digits.first != "+",
                let number = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(number)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
