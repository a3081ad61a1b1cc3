import Base
import StrictJSON

/// The parameter `app-app`, in which apps and DigiD's app pass data to each other: a JSON object in base64.
enum AppToAppText {
    static let name = ResponseParameters.appToApp

    /// In bytes. An artifact and a relay state take some 200; a request with a long key takes some 3,000.
    private static let limit = 8192

    /// DigiD's app does not decode the query (`App2AppHelper` in its published source), so the base64 goes into the
    /// link unescaped. RFC 3986 §3.4 allows each of its characters there.
    static func link(_ object: JSON.Object, to url: String) -> String {
        "\(url)?\(self.name)=\(Base64.encode(JSON.object(object).encoded()))"
    }

    /// Returns nil for any other text. Both alphabets of RFC 4648 are accepted, padded or not. A blank was a plus sign
    /// before a form decoder changed it.
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
    /// Returns the texts of these members, without those that are missing, null or empty, which DigiD's app does not
    /// distinguish. Returns nil if one has any other value.
    func appTexts(_ names: [String]) -> [String: String]? {
        var texts: [String: String] = [:]
        for name in names {
            switch self[name] {
            case nil, .null?: continue
            case .string(let text)?: texts[name] = text.isEmpty ? nil : text
            case _?: return nil
            }
        }
        return texts
    }
}

/// What DigiD's app is opened with. The names are DigiD's, and case-sensitive.
struct AppToAppRequest: Sendable {
    let iconURL: String
    let returnURL: String
    let binding: RedirectBinding
    /// Only for tests.
    let host: String?

    func link(to appLink: String) -> String {
        var object: JSON.Object = [
            "Icon": .string(self.iconURL), "ReturnUrl": .string(self.returnURL),
            "SAMLRequest": .string(self.binding.request), "SigAlg": .string(RedirectBinding.algorithm),
            "Signature": .string(self.binding.signature), "RelayState": .string(self.binding.relayState),
        ]
        object["Host"] = self.host.map { .string($0) }
        return AppToAppText.link(object, to: appLink)
    }
}
