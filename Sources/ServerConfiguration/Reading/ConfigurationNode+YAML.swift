// Reads YAML into nodes, and refuses duplicate keys.

import Base
import Yams

extension ConfigurationNode {
    /// Throws what is wrong with the file itself, and on which line. The parser's own report quotes the file, which may
    /// contain secrets.
    init(yaml bytes: [UInt8], file: String) throws(ConfigurationError) {
        self = try YAMLReader(file: file).node(of: bytes)
    }
}

/// Reads one file. Its name is for errors.
private struct YAMLReader {
    let file: String

    private func error(_ line: Int?, _ message: String) -> ConfigurationError {
        ConfigurationError([Diagnostic(.file(self.file, line: line), "", message)])
    }

    func node(of bytes: [UInt8]) throws(ConfigurationError) -> ConfigurationNode {
        guard let text = String(validating: ByteOrderMark.removed(from: bytes), as: UTF8.self) else {
            throw self.error(nil, ByteOrderMark.complaint(about: bytes))
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text, .basic, .default, .utf8)
        } catch let error as YamlError {
            throw self.error(error, in: text)
        } catch {
            throw self.error(nil, "cannot be read as YAML")
        }
        guard let root else { return ConfigurationNode(.null) }
        return try self.node(root)
    }

    private func node(_ node: Node) throws(ConfigurationError) -> ConfigurationNode {
        let line = node.mark?.line
        switch node {
        case .scalar(let scalar):
            let tag = scalar.tag.rawValue
            guard !tag.hasPrefix("!") || tag == "!" else {
                // Another one may be a part of a secret.
                let name = Self.usualTags.contains(tag) ? "the tag \(tag)" : "a tag (a text that begins with !)"
                throw self.error(line, "has \(name), which means nothing here: a configuration is one file")
            }
            let isNull = scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
            return ConfigurationNode(isNull ? .null : .scalar(scalar.string), line: line)
        case .sequence(let sequence):
            var items: [ConfigurationNode] = []
            for item in sequence { items.append(try self.node(item)) }
            return ConfigurationNode(.list(items), line: line)
        case .mapping(let mapping):
            return ConfigurationNode(.map(try self.members(of: mapping)), line: line)
        case .alias:
            throw self.error(line, "has an alias without an anchor")
        }
    }

    /// Those of other programs.
    private static let usualTags: Set = ["!include", "!import", "!secret", "!env", "!ENV", "!vault", "!file"]

    private func members(of mapping: Node.Mapping) throws(ConfigurationError) -> [ConfigurationNode.Member] {
        var members: [ConfigurationNode.Member] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else {
                // `{{ … }}` is a map whose key is a map.
                let advice = key.mapping == nil ? "" : ": {{ }} is of a template, which nothing fills in here"
                throw self.error(key.mark?.line, "has a key that is not plain text\(advice)")
            }
            guard !members.contains(where: { $0.name == name }) else {
                throw self.error(key.mark?.line, "has the key \"\(name)\" twice")
            }
            members.append(.init(name: name, line: key.mark?.line, node: try self.node(value)))
        }
        return members
    }

    private func error(_ error: YamlError, in text: String) -> ConfigurationError {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let finding = YAMLMistake(problem, line: mark.line, start: context?.mark.line, in: text).finding
            return self.error(finding.line, finding.message)
        case .duplicatedKeysInMapping(let names, let context):
            let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
            return self.error(context.mark.line, "has the key \(list) twice")
        case .reader(let problem, _, _, _):
            return self.error(nil, "is not YAML: \(problem)")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            return self.error(nil, "cannot be read as YAML")
        }
    }
}
