import Base
import Foundation
import HTTPWire

/// A request to a provider of the habits.
struct HabitRequest {
    let method: String
    let path: String
    let query: [Parameter]
    let form: [Parameter]
    private let head: [Substring]

    init(_ text: String) {
        let parts = text.components(separatedBy: "\r\n\r\n")
        self.head = (parts.first ?? "").split(separator: "\r\n")
        let words = (self.head.first ?? "").split(separator: " ").map(String.init)
        self.method = words.first ?? ""
        let target = words.dropFirst().first ?? "/"
        self.path = String(target.prefix { $0 != "?" })
        self.query = Self.parameters(String(target.drop { $0 != "?" }.dropFirst()))
        self.form = Self.parameters(parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    private static func parameters(_ text: String) -> [Parameter] { (try? FormBody.parse(Array(text.utf8))) ?? [] }

    func field(_ name: String) -> String? {
        self.head.dropFirst().first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// The id and secret of `client_secret_basic` (RFC 6749 §2.3.1).
    var basic: (id: String, secret: String)? {
        guard let value = self.field("Authorization"), value.hasPrefix("Basic "),
            let bytes = Base64.decode(value.dropFirst(6))
        else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let decoded = parts.map { Self.parameters("x=\($0)").first?.value ?? "" }
        return (decoded[0], decoded[1])
    }
}

extension [Parameter] {
    /// The value of the only parameter with this name.
    subscript(named name: String) -> String? {
        let values = self.filter { $0.name == name }.map(\.value)
        return values.count == 1 ? values[0] : nil
    }
}
