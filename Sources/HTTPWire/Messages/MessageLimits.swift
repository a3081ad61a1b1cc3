/// How large a message may be. What is larger is refused before it is kept.
package struct MessageLimits: Sendable {
    /// Bytes of the first line, all fields and the empty line; also of a trailer section.
    package var head = 16 * 1024
    /// Bytes of the body.
    package var body = 64 * 1024
    /// Field lines.
    package var fields = 100
    /// Bytes of a request's target.
    package var target = 8 * 1024

    package init() {}
}
