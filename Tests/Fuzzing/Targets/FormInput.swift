/// An input that is a query or a form, as `FormBody` reads it.
import Base
import HTTPWire

enum FormInput {
    typealias Field = Parameter

    /// Returns nil if it cannot be read.
    static func fields(_ bytes: some Collection<UInt8>) throws(Violation) -> [Field]? {
        guard let fields = try? FormBody.parse(Array(bytes)) else { return nil }
        let again = (try? FormBody.parse(FormBody.encode(fields))) ?? []
        try require(again == fields, "a form that was written reads otherwise")
        return fields
    }
}
