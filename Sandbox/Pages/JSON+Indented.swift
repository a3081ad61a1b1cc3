// JSON for readers: each member and each element on a line of its own.

import StrictJSON

extension JSON {
    var indented: String { self.indented(by: "") }

    private func indented(by margin: String) -> String {
        let inner = margin + "  "
        switch self {
        case .object(let members) where !members.isEmpty:
            let lines = members.map { "\(inner)\(Self.text(.string($0.name))): \($0.value.indented(by: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + $0.indented(by: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(margin)]"
        case .null, .bool, .integer, .number, .decimal, .string, .array, .object: return Self.text(self)
        }
    }

    private static func text(_ json: JSON) -> String { String(decoding: json.encoded(), as: UTF8.self) }
}
