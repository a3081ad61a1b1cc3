import StrictJSON
import Synchronization

/// Checks a value against a schema of OpenAPI 3.1: the part of JSON Schema that our file uses.
///
/// It is stricter in one point: if a schema lists `properties` and says nothing about others, there may be no others.
/// So it finds a member that the server sends and the file does not know, although the file does not forbid it to
/// clients. For the same reason a value must be in its `x-extensible-enum`, and `x-sent` contains what this server
/// promises but a later one may change.
package struct SchemaChecker {
    /// The patterns so far: to make one takes longer than to use it.
    private static let patterns = Mutex<[String: Regex<AnyRegexOutput>]>([:])

    /// The document for references.
    let root: JSON

    package init(root: JSON) { self.root = root }

    /// Returns what is wrong, each with its place.
    package func problems(_ value: JSON, _ schema: JSON, at place: String = "") -> [String] {
        if let target = schema["$ref"]?.string {
            guard let resolved = self.resolve(target) else { return ["\(place): \(target) leads nowhere"] }
            return self.problems(value, resolved, at: place)
        }
        if schema == false { return ["\(place): is not to be there"] }
        if let choices = schema["oneOf"]?.array { return self.checkChoices(value, choices, place) }
        return self.checkType(value, schema, place) + self.checkValue(value, schema, place)
            + self.checkMembers(value, schema, place) + self.checkItems(value, schema, place)
            + (schema["x-sent"].map { self.problems(value, $0, at: place) } ?? [])
    }

    /// Returns the target of a reference such as `#/components/schemas/Login`.
    package func resolve(_ reference: String) -> JSON? {
        var json: JSON? = self.root
        for name in reference.split(separator: "/").dropFirst() { json = json?[String(name)] }
        return json
    }

    /// Returns the target of a reference, or the value itself.
    package func resolved(_ json: JSON) -> JSON { json["$ref"]?.string.flatMap { self.resolve($0) } ?? json }

    // MARK: - Keywords

    private func checkType(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
        let types = schema["type"]?.array?.compactMap(\.string) ?? schema["type"]?.string.map { [$0] }
        guard let types else { return [] }
        let type: Set<String>
        switch value {
        case .null: type = ["null"]
        case .bool: type = ["boolean"]
        case .integer: type = ["integer", "number"]
        case .decimal(let decimal) where decimal.text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }):
            type = ["integer", "number"]
        case .number, .decimal: type = ["number"]
        case .string: type = ["string"]
        case .array: type = ["array"]
        case .object: type = ["object"]
        }
        return type.isDisjoint(with: types) ? ["\(place): is \(type.sorted()), not \(types)"] : []
    }

    /// The value must fit exactly one choice. If it names one of them by a word, only what is wrong there is told.
    private func checkChoices(_ value: JSON, _ choices: [JSON], _ place: String) -> [String] {
        let results = choices.map { self.problems(value, $0, at: place) }
        let fits = results.count { $0.isEmpty }
        if fits == 1 { return [] }
        let byWord = zip(choices, results).compactMap { choice, problems in
            Self.word(for: choice, in: value).map { word in problems.map { "\($0), with \(word)" } }
        }
        if fits == 0, byWord.count == 1 { return byWord[0] }
        return ["\(place): fits \(fits) of \(choices.count): \(results.flatMap { $0 })"]
    }

    /// Returns the member by which the value names this choice, such as `action wait`: a text that the choice has as a
    /// `const`, or in an `enum`.
    private static func word(for choice: JSON, in value: JSON) -> String? {
        for property in choice["properties"]?.object ?? [:] {
            guard let member = value[property.name], let text = member.string else { continue }
            let isListed = property.value["enum"]?.array?.contains(member) ?? false
            if isListed || property.value["const"] == member { return "\(property.name) \(text)" }
        }
        return nil
    }

    private func checkValue(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
        var problems: [String] = []
        if let constant = schema["const"], constant != value { problems.append("\(place): is not \(constant)") }
        for list in [schema["enum"]?.array, schema["x-extensible-enum"]?.array] {
            if let list, !list.contains(value) { problems.append("\(place): \(value) is not listed") }
        }
        if let least = schema["minimum"]?.number, let number = value.number, number < least {
            problems.append("\(place): \(number) is below \(least)")
        }
        if let most = schema["maxLength"]?.integer, let text = value.string, text.unicodeScalars.count > most {
            problems.append("\(place): is longer than \(most)")
        }
        if let pattern = schema["pattern"]?.string, let text = value.string {
            switch Self.matches(text, pattern) {
            case true?: break
            case false?: problems.append("\(place): \(text) does not match \(pattern)")
            case nil: problems.append("\(place): \(pattern) is no pattern")
            }
        }
        return problems
    }

    /// Returns nil if it is not a pattern.
    private static func matches(_ text: String, _ pattern: String) -> Bool? {
        self.patterns.withLock { patterns in
            guard let regex = patterns[pattern] ?? (try? Regex(pattern)) else { return nil }
            patterns[pattern] = regex
            return text.firstMatch(of: regex) != nil
        }
    }

    private func checkMembers(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
        guard let object = value.object else { return [] }
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        var problems = required.filter { object[$0] == nil }.map { "\(place): lacks \($0)" }
        let properties = schema["properties"]?.object
        for member in object {
            let inner = "\(place).\(member.name)"
            if let property = properties?[member.name] {
                problems += self.problems(member.value, property, at: inner)
            } else if let other = schema["additionalProperties"], other.object != nil {
                problems += self.problems(member.value, other, at: inner)
            } else if schema["additionalProperties"].map({ $0 == false }) ?? (properties != nil) {
                problems.append("\(inner): is not described")
            }
        }
        return problems
    }

    private func checkItems(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
        guard let items = schema["items"], let array = value.array else { return [] }
        return array.enumerated().flatMap { self.problems($0.element, items, at: "\(place)[\($0.offset)]") }
    }
}
