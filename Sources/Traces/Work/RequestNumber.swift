import Base

/// A random number that names a request. It is no text, because thousands wait.
package struct RequestNumber: Equatable, Sendable {
    private let bytes: (UInt64, UInt8)

    package init() {
        let random = RandomBytes.make(9)
        self.bytes = (random.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }, random[8])
    }

    package static func == (a: Self, b: Self) -> Bool { a.bytes == b.bytes }

    /// Twelve base64url characters.
    package var text: String { withUnsafeBytes(of: self.bytes) { Base64URL.encode($0) } }
}
