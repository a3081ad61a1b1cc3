/// How long a test waits for what must happen. A working server is far quicker, even when other work keeps the
/// processors and the disk busy.
package enum Patience {
    private static let limit = Duration.seconds(120)

    /// The end of a wait that begins now.
    package static var end: ContinuousClock.Instant { .now + Self.limit }
}
