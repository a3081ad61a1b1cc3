/// Text that must not be printed: an assertion, a national id.

/// Interpolated, dumped or logged it reads `‹secret›`. The one way out is `exposed`, which is easy to search for.
public struct Secret: Hashable, Sendable {
    /// The text itself, for whoever it is meant for.
    public let exposed: String

    /// Hides `text`.
    public init(_ text: String) { self.exposed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the text.
    public var description: String { "‹secret›" }

    /// Never the text.
    public var debugDescription: String { self.description }

    /// Without this, `dump` and every logger that reflects would walk into the text.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
