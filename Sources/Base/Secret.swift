/// Bytes that must not be printed.
///
/// It reads `‹secret›` when it is interpolated, dumped or logged. The only way to the bytes is `exposed`, which is easy
/// to search for. There is deliberately no `Codable`, so code can write a secret only on purpose.
package struct Secret: Sendable, Equatable {
    package let exposed: [UInt8]

    package init(_ bytes: [UInt8]) { self.exposed = bytes }

    package init(_ text: String) { self.exposed = Array(text.utf8) }

    package var exposedText: String { String(decoding: self.exposed, as: UTF8.self) }

    package var count: Int { self.exposed.count }

    /// Compares every byte, so that the time taken does not reveal how many were right.
    package static func == (one: Secret, other: Secret) -> Bool { equalInConstantTime(one.exposed, other.exposed) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹secret›" }

    package var debugDescription: String { self.description }

    /// Without this, `dump` and every logger that reflects would walk into the bytes.
    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
