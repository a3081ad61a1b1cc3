import Base
import Testing

@testable import Cryptography

/// A row that another key sealed, or that was changed or moved, is not sealed.
@Suite struct SealedRowTests {
    private static let key = HMACKey(Secret([UInt8](repeating: 1, count: 32)))
    private static let keyID = [UInt8](repeating: 7, count: SealedRow.keyIDByteCount)
    private static let bytes = SealedRow.seal([1, 2, 3], keyID: Self.keyID, by: Self.key) { $0.append([9]) }

    @Test func `a row gives back its parts`() throws {
        let row = try #require(SealedRow(Self.bytes))
        #expect(row.keyID == Self.keyID)
        #expect(row.fields == [1, 2, 3])
        #expect(row.isSealed(by: Self.key) { $0.append([9]) })
        #expect(Self.bytes.count == 8 + 3 + 32)
    }

    @Test func `a row in another place is not sealed`() throws {
        let row = try #require(SealedRow(Self.bytes))
        #expect(!row.isSealed(by: Self.key) { $0.append([8]) })
        #expect(!row.isSealed(by: Self.key) { _ in })
        #expect(!row.isSealed(by: HMACKey(Secret([UInt8](repeating: 2, count: 32)))) { $0.append([9]) })
    }

    @Test(arguments: 8..<43) func `a changed byte breaks the seal`(_ index: Int) throws {
        var bytes = Self.bytes
        bytes[index] ^= 1
        #expect(try !#require(SealedRow(bytes)).isSealed(by: Self.key) { $0.append([9]) })
    }

    @Test(arguments: [0, 8, 39, 40]) func `a row without fields is none`(_ count: Int) {
        #expect(SealedRow([UInt8](repeating: 1, count: count)) == nil)
    }
}
