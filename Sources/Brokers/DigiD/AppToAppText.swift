/// The parameter `app-app`, in which apps speak to DigiD's app and it to them: a JSON object in base64.
import Base
import StrictJSON

enum AppToAppText {
    static let name = "app-app"

    /// An artifact and a relay state are some 200 bytes; a request of DigiD's with a long key some 3,000.
    private static let limit = 8192

    /// DigiD's app does not decode the query (its published source, `App2AppHelper`), so the base64 goes into the link as
    /// it stands; RFC 3986 §3.4 allows each of its characters there.
    static func link(_ object: JSON.Object, to url: String) -> String {
        "\(url)?\(self.name)=\(Base64.encode(JSON.object(object).encoded()))"
    }

    /// Nil for what is no such text. Both alphabets of RFC 4648 are read, padded or not; a blank is the plus sign that
    /// a decoder of forms made one.
    static func object(_ text: String) -> JSON.Object? {
        guard text.utf8.count <= self.limit else { return nil }
        var digits = text.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: " "): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard let bytes = Base64URL.decode(String(decoding: digits, as: UTF8.self)) else { return nil }
        let limits = JSON.Limits(byteCount: self.limit, depth: 2)
        return (try? JSON(parsing: bytes, limits: limits))?.object
    }
}

extension JSON.Object {
    /// The text of a member: nil when it is not there, null or empty, which DigiD's app does not tell apart.
    /// Fails for anything else.
    func appText(_ name: String) throws(AppToAppError) -> String? {
        switch self[name] {
        case nil, .null?: return nil
        case .string(let text)?: return text.isEmpty ? nil : text
        default: throw AppToAppError()
        }
    }
}
