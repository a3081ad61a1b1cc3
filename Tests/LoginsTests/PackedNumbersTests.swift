import Testing

@testable import Logins

/// Integers and lengths in as few bytes as they need.
@Suite struct PackedNumbersTests {
    @Test(
        arguments: [
            (0, [0x00]), (1, [0x02]), (-1, [0x01]), (63, [0x7E]), (64, [0x80, 0x01]), (-64, [0x7F]),
            (300, [0xD8, 0x04]),
            (Int64.max, [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
            (Int64.min, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
        ] as [(Int64, [UInt8])])
    func `an integer has as few bytes as it needs`(_ value: Int64, _ bytes: [UInt8]) throws {
        var writer = ByteWriter(numbers: .packed)
        writer.write(value)
        #expect(writer.bytes == bytes)
        var reader = ByteReader(bytes, numbers: .packed)
        #expect(try reader.readInteger() == value)
        #expect(reader.isAtEnd)
    }

    @Test(arguments: [0, 1, 127, 128, 20_000]) func `a text has its length before it`(length: Int) throws {
        let text = String(repeating: "a", count: length)
        var writer = ByteWriter(numbers: .packed)
        writer.write(text)
        #expect(writer.bytes.count == length + (length < 128 ? 1 : length < 16_384 ? 2 : 3))
        var reader = ByteReader(writer.bytes, numbers: .packed)
        #expect(try reader.readString() == text)
    }

    /// What no writer makes: an end in the middle, more than 64 bits, and bytes that say nothing.
    @Test(
        arguments: [
            [], [0x80], [0x80, 0x00], [0xFF, 0x80, 0x00],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
        ] as [[UInt8]])
    func `malformed numbers are refused`(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes, numbers: .packed)
        #expect(throws: ByteReaderError.self) { try reader.readInteger() }
    }

    @Test(arguments: [[0x02, 0x61], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]] as [[UInt8]])
    func `a length beyond the end is refused`(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes, numbers: .packed)
        #expect(throws: ByteReaderError.self) { try reader.readBytes() }
    }
}
