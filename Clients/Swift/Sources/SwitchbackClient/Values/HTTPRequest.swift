import Foundation

/// A request for the transport to send.
///
/// Its `Authorization` field and its body are secret, so it prints as its method and path only.
public struct HTTPRequest: Equatable, Sendable {
    /// `GET`, `POST` or `DELETE`.
    public let method: String
    /// The URL, which never contains a secret.
    public let url: URL
    /// The header fields. Each name occurs once.
    public let fields: [String: String]
    /// JSON, or nil for no body.
    public let body: Data?
    /// How long to wait for the response, in seconds. A long poll's own wait is included.
    public let timeout: Double
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the path, which are not secret.
    public var description: String { "\(self.method) \(self.url.path)" }

    /// The method and the path, which are not secret.
    public var customMirror: Mirror { Mirror(self, children: ["method": self.method, "path": self.url.path]) }
}
