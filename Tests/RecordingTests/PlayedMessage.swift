import Base
import Foundation

/// A request or a response as it came from a connection.
struct PlayedMessage: Sendable {
    /// The first line and the fields, as they were.
    let head: [String]
    let body: [UInt8]

    init(_ bytes: [UInt8]) {
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        let head = String(decoding: bytes[..<(end?.lowerBound ?? bytes.count)], as: UTF8.self)
        self.head = head.components(separatedBy: "\r\n")
        self.body = end.map { Array(bytes[$0.upperBound...]) } ?? []
    }

    static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.firstRange(of: Array("\r\n\r\n".utf8)) != nil else { return false }
        let message = PlayedMessage(bytes)
        return message.body.count >= Int(message["content-length"] ?? "0") ?? 0
    }

    subscript(_ name: String) -> String? {
        self.head.dropFirst().first { $0.lowercased().hasPrefix("\(name):") }.map {
            String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces)
        }
    }

    var words: [String] { self.head[0].split(separator: " ").map(String.init) }
    var text: String { String(decoding: self.body, as: UTF8.self) }

    /// The text of a member of the JSON, such as `next.url`.
    func member(_ path: String) -> String? {
        var value = try? JSONSerialization.jsonObject(with: Data(self.body))
        for name in path.split(separator: ".") { value = (value as? [String: Any])?[String(name)] }
        return value as? String
    }

    /// The parameters of a form, or of the query of a URL.
    static func parameters(_ text: String) -> [String: String] {
        let query = text.split(separator: "?", maxSplits: 1).last ?? ""
        let pairs = query.split(separator: "&").map { part -> (String, String) in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? ""
            }
            return (halves[0], halves.count > 1 ? halves[1] : "")
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// The texts in the claims of a signed JWT.
    static func claims(of token: String) -> [String: String] {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])) else { return [:] }
        let claims = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
        return (claims ?? [:]).compactMapValues { $0 as? String }
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
            ?? ""
    }
}
