/// A secret of a run, and how it would look where it must not be: as it is, or in any of the usual encodings.
import Base
import Foundation
import HTTPWire
import StrictJSON

struct PlantedSecret: Sendable {
    let name: String
    let value: [UInt8]

    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

    init(_ name: String, _ value: [UInt8]) {
        self.name = name
        self.value = value
    }

    /// By the encoding's name. Within a longer text base64 begins at one of three places of a byte.
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
            // What neighbours share a letter with is left out at both ends.
            let letters = encoded.replacing("=", with: "").dropFirst(offset == 0 ? 0 : offset + 1)
            let core = String((offset + self.value.count) % 3 == 0 ? letters : letters.dropLast())
            let url = core.replacing("+", with: "-").replacing("/", with: "_")
            return [("base64 at \(offset)", core), ("base64url at \(offset)", url)]
        }
        return [("raw", Data(self.value))] + (texts + base64).map { ($0, Data($1.utf8)) }
    }

    /// The first form in which it stands there.
    func form(in place: Data) -> String? { self.forms.first { place.range(of: $0.1) != nil }?.0 }
}

extension JSON {
    /// As it stands within a document, without the marks around it.
    fileprivate var text: String { String(decoding: self.encoded().dropFirst().dropLast(), as: UTF8.self) }
}
