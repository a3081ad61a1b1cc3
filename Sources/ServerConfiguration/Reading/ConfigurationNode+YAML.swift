// Reads YAML into nodes, and refuses duplicate keys.

import Base
import Yams

extension ConfigurationNode {
    /// What is wrong with the file itself, and where. The parser's own report quotes the file, which may contain
    /// secrets.
    struct ReadingError: Error, Equatable {
        let line: Int?
        let message: String
    }

    init(yaml bytes: [UInt8]) throws(ReadingError) {
        guard let text = String(validating: ByteOrderMark.removed(from: bytes), as: UTF8.self) else {
            throw ReadingError(line: nil, message: ByteOrderMark.complaint(about: bytes))
        }
        do {
            guard let root = try Yams.compose(yaml: text, .basic, .default, .utf8) else {
                self.init(.null)
                return
            }
            try self.init(root)
        } catch let error as ReadingError {
            throw error
        } catch let error as YamlError {
            throw ReadingError(error, in: text)
        } catch {
            throw ReadingError(line: nil, message: "cannot be read as YAML")
        }
    }

    private init(_ node: Node) throws(ReadingError) {
        let line = node.mark?.line
        switch node {
        case .scalar(let scalar):
            let tag = scalar.tag.rawValue
            guard !tag.hasPrefix("!") || tag == "!" else {
                // Another one may be a part of a secret.
                let name = Self.usualTags.contains(tag) ? "the tag \(tag)" : "a tag (a text that begins with !)"
                throw ReadingError(
                    line: line, message: "has \(name), which means nothing here: a configuration is one file")
            }
            let isNull = scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
            self.init(isNull ? .null : .scalar(scalar.string), line: line)
        case .sequence(let sequence):
            var items: [ConfigurationNode] = []
            for item in sequence { items.append(try ConfigurationNode(item)) }
            self.init(.list(items), line: line)
        case .mapping(let mapping):
            self.init(.map(try Self.members(of: mapping)), line: line)
        case .alias:
            throw ReadingError(line: line, message: "has an alias without an anchor")
        }
    }

    /// Those of other programs.
    private static let usualTags: Set = ["!include", "!import", "!secret", "!env", "!ENV", "!vault", "!file"]

    private static func members(of mapping: Node.Mapping) throws(ReadingError) -> [Member] {
        var members: [Member] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else {
                // `{{ … }}` is a map whose key is a map.
                let advice = key.mapping == nil ? "" : ": {{ }} is of a template, which nothing fills in here"
                throw ReadingError(line: key.mark?.line, message: "has a key that is not plain text\(advice)")
            }
            guard !members.contains(where: { $0.name == name }) else {
                throw ReadingError(line: key.mark?.line, message: "has the key \"\(name)\" twice")
            }
            members.append(Member(name: name, line: key.mark?.line, node: try ConfigurationNode(value)))
        }
        return members
    }
}

extension ConfigurationNode.ReadingError {
    fileprivate init(_ error: YamlError, in text: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let mistake = YAMLMistake(problem, line: mark.line, start: context?.mark.line, in: text)
            self.init(line: mistake.finding.line, message: mistake.finding.message)
        case .duplicatedKeysInMapping(let names, let context):
            let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
            self.init(line: context.mark.line, message: "has the key \(list) twice")
        case .reader(let problem, _, _, _):
            self.init(line: nil, message: "is not YAML: \(problem)")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            self.init(line: nil, message: "cannot be read as YAML")
        }
    }
}
