/// Compares a configuration file with the table of settings: finds what is set, named, and unknown.
struct ConfigurationWalker {
    /// The content at a path, and its line.
    struct Found {
        let content: ConfigurationNode.Content
        let line: Int?
    }

    private let file: String
    private(set) var values: [SettingPath: Found] = [:]
    /// The names and items under each path, and the lines of these.
    private(set) var instances: [SettingPath: [SettingPath.Segment]] = [:]
    private(set) var lines: [SettingPath: Int] = [:]
    private(set) var problems: [Diagnostic] = []

    init(_ root: ConfigurationNode, file: String) {
        self.file = file
        self.walk(root, SettingTable.tree, at: SettingPath())
    }

    private mutating func walk(_ node: ConfigurationNode, _ tree: SettingTree, at path: SettingPath) {
        guard node.content != .null else { return }
        switch tree {
        case .setting: self.values[path] = Found(content: node.content, line: node.line)
        case .section(let children): self.walkSection(node, children, at: path)
        case .named(let child): self.walkNames(node, child, at: path)
        case .items(let child): self.walkItems(node, child, at: path)
        }
    }

    private mutating func walkSection(
        _ node: ConfigurationNode, _ children: [(name: String, tree: SettingTree)], at path: SettingPath
    ) {
        guard case .map(let members) = node.content else {
            let advice = path.description.hasPrefix("keys.") ? ", as in file: signing.pem" : ""
            return self.report(path, node.line, "must contain settings, each on its own line\(advice)")
        }
        for member in members {
            let below = path.appending(.name(member.name))
            if let child = children.first(where: { $0.name == member.name }) {
                self.walk(member.node, child.tree, at: below)
            } else {
                let unknown = UnknownSetting(member, at: path, among: children.map(\.name))
                let shownPath = unknown.isShown ? below : path.appending(.name("…"))
                self.report(shownPath, member.line, "is not a setting\(unknown.advice)")
            }
        }
    }

    private mutating func walkNames(_ node: ConfigurationNode, _ child: SettingTree, at path: SettingPath) {
        guard case .map(let members) = node.content else {
            let isList = if case .list = node.content { true } else { false }
            let advice = isList ? "; write each name with a colon, and no dash before it" : ""
            return self.report(path, node.line, "must contain names, each with its settings\(advice)")
        }
        if !members.isEmpty { self.instances[path] = [] }
        for member in members {
            let below = path.appending(.name(member.name))
            guard SettingKind.isName(member.name) else {
                let rule = "use lowercase letters, digits and single underscores between them, and begin with a letter"
                self.report(below, member.line, "\"\(member.name)\" is not a valid name: \(rule)")
                continue
            }
            self.instances[path, default: []].append(.name(member.name))
            self.lines[below] = member.line
            self.walk(member.node, child, at: below)
        }
    }

    private mutating func walkItems(_ node: ConfigurationNode, _ child: SettingTree, at path: SettingPath) {
        guard case .list(let items) = node.content else {
            let advice = path.description.hasPrefix("keys.") ? ", as in [{file: signing.pem}]" : ""
            return self.report(path, node.line, "must be a list\(advice)")
        }
        for (index, item) in items.enumerated() {
            let below = path.appending(.item(index))
            self.instances[path, default: []].append(.item(index))
            self.lines[below] = item.line
            self.walk(item, child, at: below)
        }
    }

    private mutating func report(_ path: SettingPath, _ line: Int?, _ message: String) {
        self.problems.append(Diagnostic(.file(self.file, line: line), path.description, message))
    }
}
