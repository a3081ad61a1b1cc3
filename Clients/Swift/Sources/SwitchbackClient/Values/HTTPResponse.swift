/// One answer, as a transport got it.
import Foundation

/// It prints as its status: the body may say who somebody is.
public struct HTTPResponse: Equatable, Sendable {
    /// The status.
    public let status: Int
    /// The body; empty when there is none.
    public let body: Data
    private let fields: [String: String]

    /// An answer. The names of the fields may be written in any case.
    public init(status: Int, fields: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.fields = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.body = body
    }

    /// A header field.
    public subscript(_ name: String) -> String? { self.fields[name.lowercased()] }

    /// What the server wants to be left alone for: whole seconds, at most five minutes. Nil when it does not say.
    var retryAfter: Double? {
        guard let seconds = self["Retry-After"].flatMap(Int.init), seconds >= 0 else { return nil }
        return Double(min(seconds, 300))
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// Nothing personal.
    public var description: String { "\(self.status), \(self.body.count) bytes" }

    /// Nothing personal.
    public var customMirror: Mirror { Mirror(self, children: ["status": self.status]) }
}
