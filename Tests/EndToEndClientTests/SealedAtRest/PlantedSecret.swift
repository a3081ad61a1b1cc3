import Base
import Foundation
import HTTPWire
import StrictJSON

/// A secret of a run, with the forms to search for: the secret itself and its usual encodings.
struct PlantedSecret: Sendable {
    let name: String
    let value: [UInt8]

    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

    init(_ name: String, _ value: [UInt8]) {
        self.name = name
        self.value = value
    }

    /// The forms with the names of their encodings. In a longer text, the base64 of the secret begins at one of three
    /// offsets.
    var forms: [(String, Data)] {
        let hex = self.value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let percent = self.value.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let text = String(decoding: self.value, as: UTF8.self)
        let texts = [
            ("hex", hex), ("hex in capitals", hex.uppercased()), ("percent", percent),
            ("percent in capitals", percent.uppercased()),
            ("form", String(FormBody.encode([Parameter("", text)]).dropFirst())),
            ("JSON", JSON.string(text).text),
        ]
        let base64 = (0..<3).flatMap { offset -> [(String, String)] in
            let encoded = Data([UInt8](repeating: 0, count: offset) + self.value).base64EncodedString()
            // The letters at both ends may mix with neighbouring bytes, so they are dropped.
            let letters = encoded.replacing("=", with: "").dropFirst(offset == 0 ? 0 : offset + 1)
            let core = String((offset + self.value.count) % 3 == 0 ? letters : letters.dropLast())
            let url = core.replacing("+", with: "-").replacing("/", with: "_")
            return [("base64 at \(offset)", core), ("base64url at \(offset)", url)]
        }
        return [("raw", Data(self.value))] + (texts + base64).map { ($0, Data($1.utf8)) }
    }

    /// Returns the name of the first form found in `place`.
    func form(in place: Data) -> String? { self.forms.first { place.range(of: $0.1) != nil }?.0 }
}

extension JSON {
    /// The text as it appears inside a JSON document, without quotation marks.
    fileprivate var text: String { String(decoding: self.encoded().dropFirst().dropLast(), as: UTF8.self) }
}
