/// One request, as a transport sends it.
import Foundation

/// What it carries in `Authorization` and in the body is secret: it prints as its method and path.
public struct HTTPRequest: Equatable, Sendable {
    /// `GET`, `POST` or `DELETE`.
    public let method: String
    /// Where to; there is never a secret in it.
    public let url: URL
    /// Header fields, each name once.
    public let fields: [String: String]
    /// JSON, or nil for no body.
    public let body: Data?
    /// How many seconds until there must be an answer; a held poll takes its time.
    public let timeout: Double
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// Nothing secret.
    public var description: String { "\(self.method) \(self.url.path)" }

    /// Nothing secret.
    public var customMirror: Mirror { Mirror(self, children: ["method": self.method, "path": self.url.path]) }
}
