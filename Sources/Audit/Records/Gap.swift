import Base

/// What the audit does not have a record of, because it could not be written.
package struct Gap: Equatable, Sendable {
    /// Steps that were done although their records are lost.
    package var dropped = 0
    /// Steps that were refused. None of them was done.
    package var refused = 0
    package let since: Timestamp
    package var until: Timestamp

    package init(since: Timestamp) {
        self.since = since
        self.until = since
    }
}
