import Foundation

/// Signatures as Apple's platforms return them, and as JWS wants them.
enum ECDSASignature {
    /// Turns a DER signature (RFC 3279 §2.2.3) into r and s with 32 bytes each (RFC 7518 §3.4). Nil when it is none of
    /// P-256.
    static func raw(der: Data) -> Data? {
        var rest = Array(der)[...]
        guard let sequence = Self.take(0x30, from: &rest), rest.isEmpty else { return nil }
        rest = sequence
        guard let r = Self.take(0x02, from: &rest).flatMap(Self.number), let s = Self.take(0x02, from: &rest),
            let s = Self.number(s), rest.isEmpty
        else { return nil }
        return Data(r + s)
    }

    /// Takes an element with a short length, which is long enough for P-256.
    private static func take(_ tag: UInt8, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let header = Array(bytes.prefix(2))
        guard header.count == 2, header[0] == tag, header[1] < 0x80, bytes.count >= 2 + Int(header[1]) else {
            return nil
        }
        defer { bytes = bytes.dropFirst(2 + Int(header[1])) }
        return bytes.dropFirst(2).prefix(Int(header[1]))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let digits = bytes.drop { $0 == 0 }
        guard !bytes.isEmpty, digits.count <= 32 else { return nil }
        return [UInt8](repeating: 0, count: 32 - digits.count) + digits
    }
}
