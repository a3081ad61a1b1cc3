import Base
import HTTPWire

/// The parameters of one OAuth request. A repeated name counts as absent and is remembered (RFC 6749 §3.1).
struct Parameters: Sendable {
    let all: [Parameter]
    let repeated: Set<String>

    init(_ all: [Parameter]) {
        var seenNames: Set<String> = []
        var repeatedNames: Set<String> = []
        for parameter in all where !seenNames.insert(parameter.name).inserted { repeatedNames.insert(parameter.name) }
        self.all = all
        self.repeated = repeatedNames
    }

    /// Reads the query of a GET or the form of a POST (Core §3.1.2.1); nil if there is neither.
    init?(of request: Request) {
        guard request.method == .post else {
            guard let all = try? FormBody.parse(request.target.query ?? "") else { return nil }
            self.init(all)
            return
        }
        guard let type = request.fields[.contentType].flatMap({ MediaType($0) }), type.isForm,
            let all = try? FormBody.parse(request.body)
        else { return nil }
        self.init(all)
    }

    /// A parameter without a value is treated as if it were absent (RFC 6749 §3.1).
    subscript(_ name: String) -> String? {
        guard !self.repeated.contains(name), let value = self.all.first(where: { $0.name == name })?.value else {
            return nil
        }
        return value.isEmpty ? nil : value
    }

    /// Returns a list separated by blanks, as in `scope`.
    func list(_ name: String) -> [String] { self[name]?.split(separator: " ").map(String.init) ?? [] }
}
