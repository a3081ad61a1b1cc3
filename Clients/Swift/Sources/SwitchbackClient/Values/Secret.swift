/// Text that must not be printed, such as an assertion or a national id.
///
/// Interpolated, dumped or logged it reads `‹secret›`. Only `exposed` returns the text, and it is easy to search for.
public struct Secret: Hashable, Sendable {
    /// The text itself.
    public let exposed: String

    /// Hides `text`.
    public init(_ text: String) { self.exposed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder, never the text.
    public var description: String { "‹secret›" }

    /// A placeholder, never the text.
    public var debugDescription: String { self.description }

    /// Nothing: without this, `dump` and loggers that use reflection would show the text.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
