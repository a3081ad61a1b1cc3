import Base
import Brokers
import HTTPWire

/// Forms as brokers post them: a form that was read and written reads the same again, and one field never becomes two.
enum FormBodyTarget {
    private static let limit = 64

    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        try self.checkReceived(input)
        guard let fields = try FormInput.fields(input) else { return .refused }
        try require(fields.count <= self.limit, "more fields than there may be")
        let separators = input.count { $0 == UInt8(ascii: "&") }
        try require(fields.count <= separators + 1, "a field from nowhere")
        for field in fields { try self.check(field.name + field.value) }
        try self.checkNeighbour(input, fields)
        return .accepted
    }

    /// Each field is read alone, and one that decides something is never lost.
    private static func checkReceived(_ input: [UInt8]) throws(Violation) {
        let names = ResponseParameters.names
        let fields = FormInput.received(input)
        if let strict = try? FormBody.parse(input) { try require(fields == strict, "a good form reads otherwise") }
        var decisive: [Parameter] = []
        for part in input.split(separator: UInt8(ascii: "&")) {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            guard let name = (try? FormBody.parse(Array(name)))?.first?.name, names.contains(name) else { continue }
            let value = (try? FormBody.parse(Array(part)))?.first?.value
            decisive.append(Parameter(name, value ?? Parameter.unreadable))
        }
        try require(fields.filter { names.contains($0.name) } == decisive, "a decisive field is lost or another")
        let others = fields.filter { !names.contains($0.name) }
        try require(others.count <= self.limit, "more fields than there may be")
        for field in fields { try self.check(field.name + field.value) }
        let behind = FormInput.received(Array(String(repeating: "x&", count: self.limit).utf8) + input)
        try require(behind.dropFirst(self.limit) == decisive[...], "a decisive field is lost behind others")
    }

    private static func check(_ text: String) throws(Violation) {
        let controls = text.unicodeScalars.contains {
            ($0.value < 32 && !"\t\r\n".unicodeScalars.contains($0)) || $0.value == 127
        }
        try require(!controls, "a control character")
    }

    /// A neighbour does not change a field.
    private static func checkNeighbour(_ input: [UInt8], _ fields: [FormInput.Field]) throws(Violation) {
        guard fields.count < self.limit else { return }
        let neighbour = Parameter("a", "b")
        for (bytes, expected) in [
            (input + Array("&a=b".utf8), fields + [neighbour]), (Array("a=b&".utf8) + input, [neighbour] + fields),
        ] {
            guard let more = try? FormBody.parse(bytes) else { throw Violation("a neighbour spoils it") }
            try require(more == expected, "a neighbour changes it")
        }
    }
}
