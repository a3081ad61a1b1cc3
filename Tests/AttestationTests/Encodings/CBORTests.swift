import Attestation
import AttestedPhones
import TestSupport
import Testing

/// CBOR: the examples of RFC 8949 appendix A, and everything that is refused.
@Suite struct CBORTests {
    static let examples: [(hex: String, value: CBOR)] = [
        ("00", .unsigned(0)), ("01", .unsigned(1)), ("0a", .unsigned(10)), ("17", .unsigned(23)),
        ("1818", .unsigned(24)), ("1819", .unsigned(25)), ("1864", .unsigned(100)), ("1903e8", .unsigned(1000)),
        ("1a000f4240", .unsigned(1_000_000)), ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
        ("1bffffffffffffffff", .unsigned(.max)), ("3bffffffffffffffff", .negative(.max)), ("20", CBOR(-1)),
        ("29", CBOR(-10)), ("3863", CBOR(-100)), ("3903e7", CBOR(-1000)), ("f4", .bool(false)), ("f5", .bool(true)),
        ("f6", .null), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")),
        ("6161", .text("a")), ("6449455446", .text("IETF")), ("62225c", .text("\"\\")), ("62c3bc", .text("\u{FC}")),
        ("63e6b0b4", .text("\u{6C34}")), ("64f0908591", .text("\u{10151}")), ("80", .array([])),
        ("83010203", .array([CBOR(1), CBOR(2), CBOR(3)])),
        ("8301820203820405", .array([CBOR(1), .array([CBOR(2), CBOR(3)]), .array([CBOR(4), CBOR(5)])])),
        ("a0", .map([])), ("a201020304", .map([CBOR.Pair(CBOR(1), CBOR(2)), CBOR.Pair(CBOR(3), CBOR(4))])),
        (
            "a26161016162820203",
            .map([CBOR.Pair(.text("a"), CBOR(1)), CBOR.Pair(.text("b"), .array([CBOR(2), CBOR(3)]))])
        ),
        ("826161a161626163", .array([.text("a"), .map([CBOR.Pair(.text("b"), .text("c"))])])),
    ]

    @Test(arguments: examples)
    func `the examples of RFC 8949 are read and written`(_ hex: String, _ value: CBOR) throws {
        #expect(try CBOR(parsing: [UInt8](hex: hex)) == value)
        #expect(value.encoded() == [UInt8](hex: hex))
    }

    static let refused: [(hex: String, error: CBORError)] = [
        ("", .endsEarly), ("18", .endsEarly), ("1b00", .endsEarly), ("41", .endsEarly), ("6261", .endsEarly),
        ("81", .endsEarly), ("a101", .endsEarly), ("9affffffff", .endsEarly), ("bbffffffffffffffff", .endsEarly),
        ("5bffffffffffffffff", .endsEarly), ("5b7fffffffffffffff", .endsEarly), ("9b8000000000000000", .endsEarly),
        ("0000", .trailingBytes), ("80f6", .trailingBytes),
        // §4.2.1: the shortest form.
        ("1817", .notShortest), ("1900ff", .notShortest), ("1a0000ffff", .notShortest),
        ("1b00000000ffffffff", .notShortest), ("5800", .notShortest), ("780161", .notShortest),
        ("9800", .notShortest), ("b800", .notShortest), ("3800", .notShortest),
        // §3.2: indefinite lengths.
        ("5f42010243030405ff", .indefiniteLength), ("7f657374726561646d696e67ff", .indefiniteLength),
        ("9fff", .indefiniteLength), ("bf61610161629f0203ffff", .indefiniteLength), ("ff", .indefiniteLength),
        ("1f", .indefiniteLength),
        // §3: reserved additional information.
        ("1c", .reserved), ("5d", .reserved), ("fe", .reserved),
        // §3.4, §3.3: tags, floating-point numbers and simple values.
        ("c11a514b67b0", .unsupportedItem), ("f90000", .unsupportedItem), ("fa47c35000", .unsupportedItem),
        ("fb3ff199999999999a", .unsupportedItem), ("f7", .unsupportedItem), ("f0", .unsupportedItem),
        ("f8ff", .unsupportedItem), ("f818", .unsupportedItem),
        ("61ff", .badUTF8), ("62c328", .badUTF8), ("63eda080", .badUTF8),
        // §5.6: a key twice, and keys of other types.
        ("a201000100", .duplicateKey), ("a2616101616102", .duplicateKey), ("a14000", .unsupportedKey),
        ("a18000", .unsupportedKey), ("a1f500", .unsupportedKey), ("a1f600", .unsupportedKey),
        ("a1a000", .unsupportedKey), ("818181818181818180", .tooDeep), ("a101a101a101a101a101a101a101a101a0", .tooDeep),
    ]

    @Test(arguments: refused) func `malformed CBOR is refused with its error`(_ hex: String, _ error: CBORError) {
        #expect(throws: error) { try CBOR(parsing: [UInt8](hex: hex)) }
    }

    @Test func `the size, the depth and the number of items are limited`() throws {
        let limits = CBORReader.Limits(byteCount: 8, depth: 2, itemCount: 4)
        #expect(try CBOR(parsing: [UInt8](hex: "83010203"), limits: limits) == .array([CBOR(1), CBOR(2), CBOR(3)]))
        #expect(throws: CBORError.tooManyItems) { try CBOR(parsing: [UInt8](hex: "8401020304"), limits: limits) }
        #expect(throws: CBORError.tooDeep) { try CBOR(parsing: [UInt8](hex: "818180"), limits: limits) }
        #expect(throws: CBORError.tooLong) { try CBOR(parsing: [UInt8](hex: "480102030405060708"), limits: limits) }
        // Lists side by side are not deeper than one of them.
        #expect(try CBOR(parsing: [UInt8](hex: "828080"), limits: limits) == .array([.array([]), .array([])]))
    }

    @Test func `every error has a row`() {
        let expected = Set(Self.refused.map(\.error)).union([.tooLong, .tooManyItems])
        #expect(Set(CBORError.allCases).subtracting(expected).isEmpty)
    }
}
