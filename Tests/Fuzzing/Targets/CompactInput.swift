import Base

/// An input that is a compact token, or one whose first part is not yet base64url: `header LF rest`.
///
/// Otherwise a fuzzer that changes one byte of a header would have to find its base64url digits.
enum CompactInput {
    static func text(_ input: [UInt8]) -> String {
        guard input.first == UInt8(ascii: "{"), let end = input.firstIndex(of: 0x0A) else {
            return String(decoding: input, as: UTF8.self)
        }
        return Base64URL.encode(input[..<end]) + "." + String(decoding: input[(end + 1)...], as: UTF8.self)
    }

    /// No two texts mean the same bytes (RFC 4648 §3.5).
    static func checkParts(of text: String) throws(Violation) {
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard let bytes = Base64URL.decode(part) else { continue }
            try require(identical(Base64URL.encode(bytes), String(part)), "two texts mean the same bytes")
        }
    }
}
