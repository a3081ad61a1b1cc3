// Writes the effective settings as YAML that can be read again, each with its origin. Secrets are `***`.

import Cryptography
import StrictJSON

extension EffectiveSettings {
    package var yaml: String {
        var writer = Writer(settings: self)
        writer.write(SettingTable.tree, at: SettingPath(), indent: 0)
        return writer.text
    }

    /// The SHA-256 of that text, in hexadecimal.
    var digest: String {
        Digest.sha256.hash(Array(self.yaml.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private struct Writer {
        let settings: EffectiveSettings
        var text = ""

        mutating func write(_ tree: SettingTree, at path: SettingPath, indent: Int) {
            switch tree {
            case .setting: self.writeEntry(path, indent: indent)
            case .section(let children): self.writeSection(children, at: path, indent: indent)
            case .named(let child): self.writeNames(child, at: path, indent: indent)
            case .items(let child): self.writeItems(child, at: path, indent: indent)
            }
        }

        private mutating func writeSection(
            _ children: [(name: String, tree: SettingTree)], at path: SettingPath, indent: Int
        ) {
            for child in children {
                let below = path.appending(.name(child.name))
                if case .setting = child.tree {
                    self.write(child.tree, at: below, indent: indent)
                } else {
                    self.writeHead(child.name, of: child.tree, at: below, indent: indent)
                    self.write(child.tree, at: below, indent: indent + 2)
                }
            }
        }

        /// Writes the line above nested settings.
        private mutating func writeHead(_ name: String, of tree: SettingTree, at path: SettingPath, indent: Int) {
            let isEmpty = (self.settings.instances[path] ?? []).isEmpty
            switch tree {
            case .named where isEmpty: self.line(indent, "\(name): {}")
            case .items where isEmpty: self.line(indent, "\(name): []")
            case .setting, .section, .named, .items: self.line(indent, "\(name):")
            }
        }

        private mutating func writeNames(_ child: SettingTree, at path: SettingPath, indent: Int) {
            for segment in self.settings.instances[path] ?? [] {
                guard case .name(let name) = segment else { continue }
                self.line(indent, "\(name):")
                self.write(child, at: path.appending(segment), indent: indent + 2)
            }
        }

        private mutating func writeItems(_ child: SettingTree, at path: SettingPath, indent: Int) {
            for segment in self.settings.instances[path] ?? [] {
                self.line(indent, "-")
                self.write(child, at: path.appending(segment), indent: indent + 2)
            }
        }

        private mutating func writeEntry(_ path: SettingPath, indent: Int) {
            guard let entry = self.settings.entry(path), case .name(let name) = path.segments.last else { return }
            let isRefused = entry.value == nil && entry.origin != .standard
            let origin = isRefused ? "\(entry.origin), refused" : "\(entry.origin)"
            guard case .names(let names) = entry.value else {
                return self.line(indent, "\(name): \(Self.scalar(entry))  # \(origin)")
            }
            self.line(indent, "\(name):  # \(origin)")
            for (language, text) in names.sorted(by: { $0.key < $1.key }) {
                self.line(indent + 2, "\(language): \(Self.quoted(text))")
            }
        }

        private mutating func line(_ indent: Int, _ text: String) {
            self.text += String(repeating: " ", count: indent) + text + "\n"
        }

        private static func scalar(_ entry: Entry) -> String {
            switch entry.value {
            case .some where entry.setting.isSecret: "\"***\""
            case .text(let text): Self.quoted(text)
            case .integer(let number): String(number)
            case .boolean(let truth): String(truth)
            case .list(let items): "[\(items.map(Self.quoted).joined(separator: ", "))]"
            case .names, nil: "null"
            }
        }

        /// Returns plain text if no reader can misunderstand it, otherwise a JSON string, which is also valid YAML.
        private static func quoted(_ text: String) -> String {
            let isPlain =
                text.utf8.allSatisfy { Self.plainBytes.contains($0) } && text.last != ":"
                && text.first.map { $0.isLetter || $0 == "/" } ?? false
            guard !isPlain || Self.words.contains(text.lowercased()) else { return text }
            return String(decoding: JSON.string(text).encoded(), as: UTF8.self)
        }

        private static let plainBytes = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_.+-:".utf8)
        private static let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    }
}
