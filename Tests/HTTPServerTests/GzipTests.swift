import HTTPServer
import Testing

/// Compressing and decompressing gzip (RFC 1952).
@Suite struct GzipTests {
    static let inputs: [[UInt8]] = [
        [],
        [7],
        Array("hello hello hello hello".utf8),
        Array(repeating: 0, count: 1_000_000),
        (0..<100_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) },
    ]

    @Test(arguments: inputs) func `what was compressed is read back as it was`(_ bytes: [UInt8]) throws {
        for level: Int32 in [1, 6, 9] {
            let compressed = try #require(Gzip.compress(bytes, level: level))
            #expect(compressed.starts(with: [0x1F, 0x8B, 8]))
            #expect(Gzip.decompress(compressed, limit: max(bytes.count, 1)) == bytes)
        }
    }

    @Test func `compression makes text smaller`() throws {
        let text = Array(String(repeating: "<p>the same again</p>\n", count: 100).utf8)
        #expect(try #require(Gzip.compress(text)).count < text.count / 10)
    }

    @Test func `what is not whole is refused`() throws {
        let bytes = Array("hello hello hello hello".utf8)
        let compressed = try #require(Gzip.compress(bytes))
        #expect(Gzip.decompress(compressed, limit: bytes.count - 1) == nil, "too large")
        #expect(Gzip.decompress(Array(compressed.dropLast()), limit: 1000) == nil, "cut short")
        #expect(Gzip.decompress(compressed + [0], limit: 1000) == nil, "something behind it")
        #expect(Gzip.decompress(bytes, limit: 1000) == nil, "no gzip")
        #expect(Gzip.decompress([], limit: 1000) == nil)
        var broken = compressed
        broken[broken.count - 8] ^= 1
        #expect(Gzip.decompress(broken, limit: 1000) == nil, "wrong checksum")
        #expect(Gzip.compress(bytes, level: 77) == nil)
    }
}
