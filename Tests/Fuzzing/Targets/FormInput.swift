/// An input that is a query or a form, as `FormBody` reads it.
import HTTPWire

enum FormInput {
    typealias Field = (name: String, value: String)

    /// Nil when it cannot be read.
    static func fields(_ bytes: some Collection<UInt8>) throws(Violation) -> [Field]? {
        guard let fields = try? FormBody.parse(Array(bytes)) else { return nil }
        let again = (try? FormBody.parse(FormBody.encode(fields))) ?? []
        try require(self.areSame(again, fields), "a form that was written reads otherwise")
        return fields
    }

    static func areSame(_ one: [Field], _ other: [Field]) -> Bool {
        one.map(\.name) == other.map(\.name) && one.map(\.value) == other.map(\.value)
    }
}
