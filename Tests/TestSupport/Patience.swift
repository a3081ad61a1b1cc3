/// How long a test waits for what must happen. Working code is far quicker, even when other work keeps the processors and
/// the disk busy.
package enum Patience {
    package static let limit = Duration.seconds(120)

    /// The end of a wait that begins now.
    package static var end: ContinuousClock.Instant { .now + Self.limit }
}
