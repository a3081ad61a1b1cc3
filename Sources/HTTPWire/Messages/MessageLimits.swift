/// The limits for a message. A larger one is refused before it is stored.
package struct MessageLimits: Sendable {
    /// Bytes of the first line, all fields and the empty line. This is also the limit of a trailer section.
    package var head = 16 * 1024
    /// Bytes of the body.
    package var body = 64 * 1024
    /// The number of field lines.
    package var fields = 100
    /// Bytes of a request's target.
    package var target = 8 * 1024

    package init() {}
}
