import Attestation
import AttestedPhones

/// CBOR (RFC 8949): a value that was read is written with the same bytes, and no item is complete without its end.
enum CBORTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        guard let value = try? CBOR(parsing: input) else { return .refused }
        try require(value.encoded() == input, "what was written is not what was read")
        try require((try? CBOR(parsing: input.dropLast())) == nil, "it is complete without its end")
        try require((try? CBOR(parsing: input + [0xF6])) == nil, "something may follow it")
        try require(Self.depth(value) <= CBORReader.Limits().depth, "it is too deep")
        return .accepted
    }

    /// Counts arrays and maps inside one another.
    private static func depth(_ value: CBOR) -> Int {
        switch value {
        case .array(let items): 1 + (items.map(Self.depth).max() ?? 0)
        case .map(let pairs): 1 + (pairs.map { Self.depth($0.value) }.max() ?? 0)
        case .unsigned, .negative, .bytes, .text, .bool, .null: 0
        }
    }
}
