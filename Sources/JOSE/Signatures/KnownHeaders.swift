import Base
import Synchronization

/// The headers of the tokens that were read last, because one sender writes the same header for months.
///
/// A header means only what its bytes say, so the same bytes need not be parsed again. Each token is still verified
/// anew.
enum KnownHeaders {
    private struct Entry: Sendable {
        /// The header in base64url, as it is in the token.
        let part: [UInt8]
        /// A header that is right in one spelling may be wrong in the other.
        let spelling: Spelling
        let header: JOSEHeader

        func isOf(_ part: ArraySlice<UInt8>, _ spelling: Spelling) -> Bool {
            guard self.part.count == part.count, self.spelling == spelling else { return false }
            return self.part.withUnsafeBufferPointer { one in part.withUnsafeBufferPointer { haveSameBytes(one, $0) } }
        }
    }

    /// The entries are so few and so short that a search is always faster than parsing.
    private static let limit = 8
    private static let byteLimit = 256

    private static let entries = Mutex<[Entry]>([])

    static func header(_ part: ArraySlice<UInt8>, _ spelling: Spelling) throws(JWSError) -> JOSEHeader {
        let knownHeader = self.entries.withLock { entries in
            entries.first { $0.isOf(part, spelling) }?.header
        }
        if let knownHeader { return knownHeader }
        let header = try JOSEHeader(encoded: part, spelling: spelling)
        guard part.count <= self.byteLimit else { return header }
        self.entries.withLock { entries in
            if entries.count == self.limit { entries.removeFirst() }
            entries.append(Entry(part: Array(part), spelling: spelling, header: header))
        }
        return header
    }
}
