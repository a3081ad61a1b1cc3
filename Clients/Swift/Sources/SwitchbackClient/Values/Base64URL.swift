import Foundation

/// base64url without padding (RFC 4648 §5).
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let base64 = Data(bytes).base64EncodedString()
        return String(base64.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    static func decode(_ text: String) -> [UInt8]? {
        let base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return Data(base64Encoded: base64 + padding).map { [UInt8]($0) }
    }
}
