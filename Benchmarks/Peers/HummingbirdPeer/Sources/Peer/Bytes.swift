import Crypto
import Foundation

/// A login's work on bytes, with swift-crypto and Foundation.
enum Bytes {
    static func code(_ use: String, _ message: [UInt8] = [], key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(use.utf8) + message, using: key))
    }

    static func base64URL(_ bytes: [UInt8]) -> String {
        let bytes = Data(bytes).base64EncodedData().compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        bytes += [UInt8](repeating: UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4)
        return Data(base64Encoded: Data(bytes)).map { Array($0) }
    }
}
