/// How long a test waits for what must happen. A server that works is far quicker, even if the processors and the disk
/// are busy with something else.
package enum Patience {
    private static let limit = Duration.seconds(120)

    /// The end of a wait that begins now.
    package static var end: ContinuousClock.Instant { .now + Self.limit }
}
