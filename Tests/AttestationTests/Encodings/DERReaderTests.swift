@testable import Attestation
import AttestedPhones
import TestSupport
import Testing

/// The DER reader: one encoding for each value.
@Suite struct DERReaderTests {
    static let numbers: [(hex: String, number: Int)] = [
        ("020100", 0), ("02017f", 127), ("02020080", 128), ("020200ff", 255), ("02020100", 256),
        ("02087fffffffffffffff", .max),
    ]

    @Test(arguments: numbers) func `integers are read in their one encoding`(_ hex: String, _ number: Int) throws {
        let bytes = [UInt8](hex: hex)
        var reader = DERReader(bytes[...])
        #expect(try reader.readInteger() == number)
        try reader.finish()
        #expect(DER.integer(number) == bytes)
    }

    static let refusedNumbers: [(hex: String, error: DERError)] = [
        ("", .endsEarly), ("02", .endsEarly), ("0201", .endsEarly), ("0a0100", .unexpectedTag),
        ("0200", .badNumber), ("020180", .badNumber), ("0201ff", .badNumber), ("02020000", .badNumber),
        ("0202007f", .badNumber), ("0209008000000000000000", .badNumber), ("0280", .badLength),
        ("02810100", .badLength),
        ("0282000100", .badLength), ("0284000000010000", .badLength), ("02ff", .badLength), ("1f02", .badTag),
        ("1f1e00", .badTag), ("1f800200", .badTag), ("1fffffffff7f00", .badTag), ("1f", .endsEarly),
        ("1f81", .endsEarly), ("028201ff00", .endsEarly),
    ]

    @Test(arguments: refusedNumbers) func `integers in another encoding are refused`(_ hex: String, _ error: DERError) {
        let bytes = [UInt8](hex: hex)
        var reader = DERReader(bytes[...])
        #expect(throws: error) { try reader.readInteger() }
    }

    static let booleans: [(hex: String, value: Bool?)] = [
        ("0101ff", true), ("010100", false), ("010101", nil), ("0101fe", nil), ("0100", nil), ("0102ffff", nil),
    ]

    @Test(arguments: booleans) func `booleans are read in their one encoding`(_ hex: String, _ value: Bool?) {
        let bytes = [UInt8](hex: hex)
        var reader = DERReader(bytes[...])
        #expect((try? reader.readBoolean()) == value)
    }

    @Test(arguments: [1, 30, 31, 127, 128, 709, 724, 16_383])
    func `tags of every length are read`(_ number: Int) throws {
        let bytes = DER.tagged(number, DER.null)
        var reader = DERReader(bytes[...])
        var inner = try reader.enter(.explicit(UInt32(number)))
        #expect(try inner.read(.null).isEmpty)
        try inner.finish()
        #expect(reader.isAtEnd)
    }

    @Test func `trailing bytes are found`() {
        let bytes = DER.null + [0]
        var reader = DERReader(bytes[...])
        #expect(throws: Never.self) { _ = try reader.read(.null) }
        #expect(throws: DERError.trailingBytes) { try reader.finish() }
    }
}
