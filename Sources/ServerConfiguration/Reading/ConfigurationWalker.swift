import Base

/// Compares a configuration file with the table of settings: finds what is set, named, and unknown.
struct ConfigurationWalker {
    /// The content at a path, and its line.
    struct Found {
        let content: ConfigurationNode.Content
        let line: Int?
    }

    /// Unknown names beyond this number are counted and not named: the file is another one, or its indent is wrong.
    private static let mostUnknownNames = 10

    private let file: String
    private(set) var values: [SettingPath: Found] = [:]
    /// What stands under the name of a secret with `_file` at its end: the path of the file that holds it.
    private(set) var secretFiles: [SettingPath: Found] = [:]
    /// The names and items under each path, and the lines of these.
    private(set) var instances: [SettingPath: [SettingPath.Segment]] = [:]
    private(set) var lines: [SettingPath: Int] = [:]
    private(set) var problems: [Diagnostic] = []
    /// The parts whose content was refused as a whole. Nothing is missing there.
    private(set) var refusedParts: Set<SettingPath> = []
    /// Whether the file has names, and none of them is a setting of ours.
    private(set) var isForeign = false

    init(_ root: ConfigurationNode, file: String) {
        self.file = file
        if case .map(let members) = root.content, case .section(let children) = SettingTable.tree {
            self.isForeign = Self.isForeign(members, children.map(\.name))
        }
        if self.isForeign {
            // It may be any file, so nothing of it is repeated.
            self.report(
                SettingPath(), nil,
                "is no configuration of Switchback: none of its names is a setting. `switchback init` writes one")
        } else {
            self.walk(root, SettingTable.tree, at: SettingPath())
        }
    }

    private static func isForeign(_ members: [ConfigurationNode.Member], _ names: [String]) -> Bool {
        !members.isEmpty
            && members.allSatisfy { member in
                !names.contains(member.name) && SpellingSuggestion.isFar(member.name, from: names)
                    && !UnknownSetting(member, at: SettingPath(), among: names).isAroundAll
            }
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
            self.refusedParts.insert(path)
            let advice = path.description.hasPrefix("keys.") ? ", as in file: signing.pem" : ""
            return self.report(path, node.line, "must contain settings, each on its own line\(advice)")
        }
        var unknownMembers: [ConfigurationNode.Member] = []
        for member in members {
            if let child = children.first(where: { $0.name == member.name }) {
                self.walk(member.node, child.tree, at: path.appending(.name(member.name)))
            } else if let secret = Self.secret(inFileOf: member.name, children) {
                guard member.node.content != .null else { continue }
                self.secretFiles[path.appending(.name(secret))] = Found(content: member.node.content, line: member.line)
            } else {
                unknownMembers.append(member)
            }
        }
        self.reportUnknown(unknownMembers, beside: members, children, at: path)
    }

    /// Returns the secret of the file whose path stands under this name: `client_secret` for `client_secret_file`.
    private static func secret(
        inFileOf name: String, _ children: [(name: String, tree: SettingTree)]
    ) -> String? {
        children.first { child in
            guard case .setting(let row) = child.tree else { return false }
            return row.isSecret && name == "\(child.name)_file"
        }?.name
    }

    private mutating func reportUnknown(
        _ unknownMembers: [ConfigurationNode.Member], beside members: [ConfigurationNode.Member],
        _ children: [(name: String, tree: SettingTree)], at path: SettingPath
    ) {
        for member in unknownMembers.prefix(Self.mostUnknownNames) {
            let unknown = UnknownSetting(member, at: path, among: children.map(\.name))
            let shownPath = path.appending(.name(unknown.isShown ? member.name : "…"))
            self.report(shownPath, member.line, "is not a setting\(unknown.advice)")
            if unknown.isAroundAll { self.walk(member.node, SettingTable.tree, at: path) }
            if let base = unknown.nameWithoutFile { self.refusedParts.insert(path.appending(.name(base))) }
            // What it was meant to be is then not missing, and what stands below it is checked too.
            guard let meant = unknown.nearest, !members.contains(where: { $0.name == meant }),
                let child = children.first(where: { $0.name == meant })
            else { continue }
            self.walk(member.node, child.tree, at: path.appending(.name(meant)))
        }
        let others = unknownMembers.dropFirst(Self.mostUnknownNames)
        guard let first = others.first else { return }
        self.report(path, first.line, "\(others.count) more names from here on are not settings either")
    }

    private mutating func walkNames(_ node: ConfigurationNode, _ child: SettingTree, at path: SettingPath) {
        guard case .map(let members) = node.content else {
            self.refusedParts.insert(path)
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
            self.refusedParts.insert(path)
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
