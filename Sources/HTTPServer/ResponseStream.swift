/// The rest of an answer that has begun, sent in parts from any thread, in the order in which one thread sends them.
///
/// If the client has gone, nothing happens. One that does not take its parts is cut off: when `ServerLimits.unsent` bytes
/// wait for it, or when some have waited for `writeTime`.
package struct ResponseStream: Sendable {
    package let send: @Sendable (_ part: [UInt8]) -> Void
    /// The answer is whole. Nothing is sent after it.
    package let end: @Sendable () -> Void

    package init(send: @escaping @Sendable ([UInt8]) -> Void, end: @escaping @Sendable () -> Void) {
        self.send = send
        self.end = end
    }
}
