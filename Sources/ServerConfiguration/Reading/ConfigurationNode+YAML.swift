/// Reads YAML into nodes, and refuses duplicate keys.
import Yams

extension ConfigurationNode {
    /// What is wrong with the file itself, and where. The parser's own report quotes the file, which may contain
    /// secrets.
    struct ReadingError: Error, Equatable {
        let line: Int?
        let message: String
    }

    init(yaml bytes: [UInt8]) throws(ReadingError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ReadingError(line: nil, message: "is not UTF-8")
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
            throw ReadingError(error)
        } catch {
            throw ReadingError(line: nil, message: "cannot be read as YAML")
        }
    }

    private init(_ node: Node) throws(ReadingError) {
        let line = node.mark?.line
        switch node {
        case .scalar(let scalar):
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

    private static func members(of mapping: Node.Mapping) throws(ReadingError) -> [Member] {
        var members: [Member] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else {
                throw ReadingError(line: key.mark?.line, message: "has a key that is not plain text")
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
    fileprivate init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(line: mark.line, message: "is not YAML: \(problem)")
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
