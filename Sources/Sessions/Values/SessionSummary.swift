import Base

/// A session as its user sees it in a list.
package struct SessionSummary: Equatable, Sendable {
    package let id: SessionID
    package let platform: String?
    package let provider: String
    package let createdAt: Timestamp
    package let usedAt: Timestamp?
    package let endsAt: Timestamp
    package let hasPIN: Bool
    /// True if it is the session that asked for the list.
    package let isCurrent: Bool

    init(
        id: SessionID, platform: String?, provider: String, createdAt: Timestamp, usedAt: Timestamp?,
        endsAt: Timestamp, hasPIN: Bool, isCurrent: Bool
    ) {
        self.id = id
        self.platform = platform
        self.provider = provider
        self.createdAt = createdAt
        self.usedAt = usedAt
        self.endsAt = endsAt
        self.hasPIN = hasPIN
        self.isCurrent = isCurrent
    }
}
