import Base
import OpenIDConnect

/// A broker's response to a code, and what the broker has read in it, so that nobody reads it twice.
package struct BrokerAnswer: Sendable {
    package let bytes: Secret
    /// Nil for a response that comes out of a row: another process has read it.
    private let content: (any Sendable)?

    package init(_ bytes: Secret, content: (any Sendable)? = nil) {
        self.bytes = bytes
        self.content = content
    }

    /// Returns what the broker has read, if it was of this type.
    func content<Content>(as type: Content.Type) -> Content? { self.content as? Content }
}

/// It has the user's tokens.
extension BrokerAnswer: RedactedDescription {}
