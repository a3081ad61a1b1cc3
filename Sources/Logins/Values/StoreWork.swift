/// What could not be done because the store did not work.
package enum StoreWork: String, CaseIterable, Sendable {
    case read
    case write
    /// Looking for what is due, or for what another process has left.
    case sweep
    /// Counting the open logins, for `limits.pending_logins`.
    case count
}
