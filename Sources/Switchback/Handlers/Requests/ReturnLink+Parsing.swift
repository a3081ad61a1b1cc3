/// Takes a link that opened the app apart.
import HTTPWire
import Logins

extension ReturnLink {
    /// Never fails: a link whose query cannot be read has none. What stands after `#` was for the app alone.
    package init(_ text: String) {
        let bytes = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let query = Array(bytes[end...].dropFirst())
        self.init(
            text: text, location: String(decoding: bytes[..<end], as: UTF8.self),
            parameters: try? FormBody.parse(query))
    }
}
