import Base

/// A name in a configuration that is no setting, and what its author may have meant.
struct UnknownSetting {
    /// No name of a setting is longer.
    private static let longestName = 40
    /// Names that other programs have for settings of ours.
    private static let otherNames = [
        "port": "listen", "host": "listen", "bind": "listen", "address": "listen", "url": "public_url",
        "base_url": "public_url", "external_url": "public_url", "database": "sqlite.path or postgresql.url",
        "log_level": "log.level", "log_format": "log.format", "clients": "apps", "applications": "apps",
        "identity_providers": "providers", "connectors": "brokers",
    ]

    private let member: ConfigurationNode.Member
    private let path: SettingPath
    private let knownNames: [String]

    /// `known` are the names that may be below the path.
    init(_ member: ConfigurationNode.Member, at path: SettingPath, among knownNames: [String]) {
        self.member = member
        self.path = path
        self.knownNames = knownNames
    }

    /// Returns the end of a message; empty if nothing is known there.
    var advice: String {
        guard self.isShown else { return "; put quotes around a text with a comma, a colon or a space in it" }
        return self.adviceOnYAML ?? self.adviceOnFile ?? self.adviceOnPlace
            ?? self.nearest.map { "; did you mean \($0)?" } ?? ""
    }

    /// False for what may be a part of a secret: YAML splits `{password: a, b}` at its comma, and `b` is a name then.
    var isShown: Bool {
        if self.adviceOnYAML != nil { return true }
        let isName = self.name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
        return isName && self.name.count <= Self.longestName
            && (self.member.node.content != .null || (self.adviceOnFile ?? self.adviceOnPlace) != nil)
    }

    /// The setting that it may be, misspelt; nil if the mistake is another one.
    var nearest: String? {
        guard self.isShown, (self.adviceOnYAML ?? self.adviceOnFile ?? self.adviceOnPlace) == nil else { return nil }
        return SpellingSuggestion.word(to: self.name, in: self.knownNames)
    }

    /// Whether it is at the top, and the settings stand below it.
    var isAroundAll: Bool {
        guard self.path.segments.isEmpty, case .map(let members) = self.member.node.content else { return false }
        return members.contains { self.knownNames.contains($0.name) }
    }

    private var name: String { self.member.name }

    private var adviceOnYAML: String? {
        if self.name.contains("\u{A0}") { return "; it has a no-break space (U+00A0), so write a plain one" }
        return switch self.name {
        case "<<": "; settings cannot be merged: write them in each place"
        case "include", "includes", "import", "extends":
            "; a configuration is one file, and others are not read into it"
        case "redirect_uri" where self.path.description.hasPrefix("brokers."):
            "; it is public_url with /callback/ and the broker's name, and `switchback check` prints it"
        default: nil
        }
    }

    /// The setting whose value somebody wanted to be in a file: `issuer` for `issuer_file`. Only secrets are in files.
    var nameWithoutFile: String? {
        guard self.name.hasSuffix("_file") else { return nil }
        let base = String(self.name.dropLast(5))
        return self.knownNames.contains(base) ? base : nil
    }

    private var adviceOnFile: String? {
        self.nameWithoutFile.map { base in
            "; set the variable \(self.path.appending(.name(base)).variable)_FILE to the path of the file"
        }
    }

    /// The setting exists somewhere else.
    private var adviceOnPlace: String? {
        if self.isAroundAll {
            return "; remove this line, and begin the settings below it at the start of their lines"
        }
        let patterns = SettingTable.all.map(\.pattern.description)
        if self.name.contains("."), patterns.contains(self.name), let dot = self.name.lastIndex(of: ".") {
            return
                "; write \(self.name[self.name.index(after: dot)...]) below \(self.name[..<dot]), on a line of its own"
        }
        guard SpellingSuggestion.isFar(self.name, from: self.knownNames) else { return nil }
        if self.path.segments.isEmpty, let other = Self.otherNames[self.name] { return "; there is \(other)" }
        let places = patterns.filter { $0.split(separator: ".").last.map(String.init) == self.name }
        return places.first.map { "; there is \($0)" }
    }
}
