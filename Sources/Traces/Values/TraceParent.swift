/// The field `traceparent` (W3C Trace Context §3.2): the caller's trace, and its span in that trace.
package struct TraceParent: Equatable, Sendable, CustomStringConvertible {
    package let trace: TraceID
    package let span: SpanID
    /// Whether the caller records the trace.
    package let isSampled: Bool

    /// `00-`, 32 and 16 digits and 2 digits, with two hyphens between.
    private static let length = 55

    package init(trace: TraceID, span: SpanID, isSampled: Bool) {
        self.trace = trace
        self.span = span
        self.isSampled = isSampled
    }

    /// Returns nil for everything that is not valid: the receiver then begins a trace of its own (§3.2.3).
    ///
    /// A later version than ours may have more after a hyphen, which we do not read (§3.2.4).
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count >= Self.length else { return nil }
        func part(_ start: Int, _ count: Int) -> Substring.UTF8View {
            let from = bytes.index(bytes.startIndex, offsetBy: start)
            return Substring(text).utf8[from..<bytes.index(from, offsetBy: count)]
        }
        let hyphen = UInt8(ascii: "-")
        guard [2, 35, 52].allSatisfy({ part($0, 1).first == hyphen }) else { return nil }
        guard let version = Hex.number(part(0, 2)), version != 0xFF,
            version != 0 || bytes.count == Self.length,
            bytes.count == Self.length || part(Self.length, 1).first == hyphen,
            let high = Hex.number(part(3, 16)), let low = Hex.number(part(19, 16)),
            let trace = TraceID(high: high, low: low),
            let span = Hex.number(part(36, 16)).flatMap({ SpanID($0) }),
            let flags = Hex.number(part(53, 2))
        else { return nil }
        self.init(trace: trace, span: span, isSampled: flags & 1 == 1)
    }

    /// The field's value, in version 00 and without the flags of later versions.
    package var description: String { "00-\(self.trace)-\(self.span)-\(self.isSampled ? "01" : "00")" }
}
