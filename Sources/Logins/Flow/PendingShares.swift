/// How the room for pending logins is shared between those who create them.
package struct PendingShares: Equatable, Sendable {
    /// All that may be pending.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    /// A caller with fewer than this has little.
    var small: Int { max(1, self.limit / 20) }
    /// From here on there is room only for those who have little.
    var large: Int { max(1, self.limit - self.limit / 4) }
    /// How many logins of one caller may wait for somebody to open them.
    var unopenedOfOne: Int { self.small }
    /// And of all callers.
    var unopened: Int { max(1, self.limit / 2) }
}
