import Foundation

/// A response that the transport received.
///
/// It prints without its body, which may contain personal data.
public struct HTTPResponse: Equatable, Sendable {
    /// The status code.
    public let status: Int
    /// The body; empty if there is none.
    public let body: Data
    private let fields: [String: String]

    /// Creates a response. The case of the field names does not matter.
    public init(status: Int, fields: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.fields = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.body = body
    }

    /// Returns a header field. The case of the name does not matter.
    public subscript(_ name: String) -> String? { self.fields[name.lowercased()] }

    /// The `Retry-After` field in seconds, at most 300. Nil if it is not a number of seconds.
    var retryAfter: Double? {
        guard let seconds = self["Retry-After"].flatMap(Int.init), seconds >= 0 else { return nil }
        return Double(min(seconds, 300))
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the body's length.
    public var description: String { "\(self.status), \(self.body.count) bytes" }

    /// The status only.
    public var customMirror: Mirror { Mirror(self, children: ["status": self.status]) }
}
