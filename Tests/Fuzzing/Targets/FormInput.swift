import Base
import Brokers
import HTTPWire

/// An input that is a query or a form, as `FormBody` reads it.
enum FormInput {
    typealias Field = Parameter

    /// Reads it as strictly as an app's form. Returns nil if that is not possible.
    static func fields(_ bytes: some Collection<UInt8>) throws(Violation) -> [Field]? {
        guard let fields = try? FormBody.parse(Array(bytes)) else { return nil }
        let again = (try? FormBody.parse(FormBody.encode(fields))) ?? []
        try require(again == fields, "a form that was written reads otherwise")
        return fields
    }

    /// Reads it as what a browser or a broker brings.
    static func received(
        _ bytes: some Collection<UInt8>, keeping names: Set<String> = ResponseParameters.names
    ) -> [Field] {
        FormBody.read(Array(bytes), keeping: names)
    }
}
