/// The members of a JSON object that came as a body, read one by one. What nobody asked for is left at the end.
///
/// A member that may be absent may also be `null`, which is how many encoders write what is absent.
import HTTPWire
import StrictJSON

struct JSONBody {
    private var members: JSON.Object
    /// Where this object stands in the body: `parameters.` for the object of that name.
    private let prefix: String

    init(_ request: Request) throws(Problem) {
        guard request.mediaType?.isJSON == true else { throw Problem(.unsupportedMediaType) }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: request.body, limits: JSON.Limits(byteCount: 1 << 16, depth: 8))
        } catch {
            throw Problem(.malformedJSON)
        }
        guard let object = json.object else { throw Problem(.malformedJSON) }
        self.members = object
        self.prefix = ""
    }

    private init(_ members: JSON.Object, prefix: String) {
        self.members = members
        self.prefix = prefix
    }

    /// The members that nobody has asked for, in their order.
    var left: [String] { self.members.names.map { self.prefix + $0 } }

    /// A text that passes `isGood`.
    mutating func text(_ name: String, _ isGood: (String) -> Bool) throws(Problem) -> String? {
        guard let value = self.take(name) else { return nil }
        guard let text = value.string, isGood(text) else { throw self.invalid(name) }
        return text
    }

    mutating func text(_ name: String, oneOf texts: [String]) throws(Problem) -> String? {
        try self.text(name) { texts.contains($0) }
    }

    mutating func bool(_ name: String) throws(Problem) -> Bool? {
        guard let value = self.take(name) else { return nil }
        guard let bool = value.bool else { throw self.invalid(name) }
        return bool
    }

    /// The members of an object of texts, in their order.
    mutating func texts(
        _ name: String, atMost limit: Int, _ isGood: (String) -> Bool
    ) throws(Problem) -> [(name: String, value: String)] {
        guard let value = self.take(name) else { return [] }
        guard let object = value.object, object.count <= limit else { throw self.invalid(name) }
        var body = JSONBody(object, prefix: self.prefix + name + ".")
        var texts: [(name: String, value: String)] = []
        for name in object.names {
            guard let text = try body.text(name, isGood) else { throw body.invalid(name) }
            texts.append((name, text))
        }
        return texts
    }

    /// True when the member is there, as `null` too.
    func has(_ name: String) -> Bool { self.members[name] != nil }

    func missing(_ name: String) -> Problem { Problem(.missingMember, member: self.prefix + name) }

    func invalid(_ name: String) -> Problem { Problem(.invalidMember, member: self.prefix + name) }

    private mutating func take(_ name: String) -> JSON? {
        guard let value = self.members.removeValue(forName: name) else { return nil }
        if case .null = value { return nil }
        return value
    }
}
