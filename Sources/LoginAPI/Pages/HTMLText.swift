/// Text as HTML: without the characters that could end a text or the value of an attribute (HTML §13.1.2).
///
/// It looks at bytes. A quotation mark and the combining mark after it are one character, so a search for the character
/// `"` does not find it.
enum HTMLText {
    static func append(_ text: String, to page: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): page += "&amp;".utf8
            case UInt8(ascii: "<"): page += "&lt;".utf8
            case UInt8(ascii: ">"): page += "&gt;".utf8
            case UInt8(ascii: "\""): page += "&quot;".utf8
            case UInt8(ascii: "'"): page += "&#39;".utf8
            default: page.append(byte)
            }
        }
    }

    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        self.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
