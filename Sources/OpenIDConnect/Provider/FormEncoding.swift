/// Writes names and values as `application/x-www-form-urlencoded` (RFC 6749 appendix B).
enum FormEncoding {
    enum Space: String {
        case plus = "+"
        /// Read alike by form decoders and by those that know only RFC 3986.
        case escaped = "%20"
    }

    static func encode(_ text: String, space: Space = .plus) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if byte.isUnreserved {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else if byte == 0x20 {
                encoded += space.rawValue
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return encoded
    }

    static func encode(_ fields: [(name: String, value: String)], space: Space = .plus) -> String {
        fields.map { "\(self.encode($0.name, space: space))=\(self.encode($0.value, space: space))" }
            .joined(separator: "&")
    }
}
