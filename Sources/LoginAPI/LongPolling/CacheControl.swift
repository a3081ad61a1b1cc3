/// The value of `Cache-Control` for what changes while a client waits, and only that client may have.
enum CacheControl {
    /// Nobody stores it, and no proxy compresses it (RFC 9111 §5.2.2.6): some change the `ETag` then, or delay events.
    /// Few proxies obey, so nothing relies on it.
    static let unchanged = "no-store, no-transform"
}
