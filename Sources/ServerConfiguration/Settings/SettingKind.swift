/// The type of a setting.
package indirect enum SettingKind: Sendable {
    case text
    /// Printable ASCII without spaces.
    case word
    case integer(ClosedRange<Int>, Unit)
    /// A share, from 0 to 1.
    case ratio
    case boolean
    /// A time in UTC (RFC 3339).
    case time
    /// One of these.
    case choice([String])
    /// An address to listen on.
    case address
    /// A file that is read when the server starts.
    case file
    case folder
    /// `https://host` with nothing after it.
    case origin
    /// The same, or the origin of a hybrid app's pages, as in `capacitor://localhost`.
    case pageOrigin
    /// An issuer identifier, kept as it is written: `https://host/` and `https://host` are two issuers.
    case issuer
    /// The beginning of a link that opens the app.
    case returnPrefix
    /// `com.example.shop`, an app's own scheme.
    case scheme
    /// `ABCDE12345.com.example.shop`, an app id of Apple.
    case appleAppID
    /// `com.example.shop`, an application id of Android.
    case androidPackage
    /// A SHA-256, as `keytool` prints it.
    case fingerprint
    /// A link by which an app on iOS checks whether another app is installed.
    case probeLink
    /// An https URL that a user may open.
    case link
    /// An https URL, or the name of a file in `assets`.
    case picture
    /// `#14532d`, a colour of a page.
    case color
    /// An https URL or a mailto address that a user may open.
    case contact
    case host
    /// An address, a network in CIDR notation, or `unix`.
    case trustedPeer
    /// ISO 3166-1, two letters.
    case country
    /// A language tag (BCP 47) in its common form.
    case language
    /// One text, or one per language.
    case names
    case list(SettingKind)

    package enum Unit: String, Sendable {
        case bytes
        case seconds
        case none = ""
    }
}

// MARK: - Reading a value

extension SettingKind {
    /// Returns the checked value. Throws what is wrong with it: each message continues a sentence that begins with the
    /// setting's path. An error about a secret never quotes it.
    func value(of content: ConfigurationNode.Content, secret: Bool) throws(ConfigurationError) -> SettingValue {
        switch (self, content) {
        case (.list(let element), .list(let nodes)):
            return .list(try element.items(nodes))
        case (.list(let element), _):
            throw ConfigurationError("must be a list of \(element.plural), as in [a, b]")
        case (.names, .map(let members)):
            return .names(try Self.names(members))
        case (.names, .scalar(let text)):
            return .names(["en": try Self.plain(text, secret: secret)])
        case (_, .scalar(let text)):
            return try self.value(of: Self.plain(text, secret: secret), secret: secret)
        case (_, .null), (_, .list), (_, .map):
            throw ConfigurationError("must be \(self.demand)")
        }
    }

    private func value(of text: String, secret: Bool) throws(ConfigurationError) -> SettingValue {
        if let value = self.value(of: text) { return value }
        let quoted = secret || self.isPath ? "" : ", not \"\(Self.shown(text))\""
        // A secret is not quoted, and the advice would tell something about it.
        throw ConfigurationError("must be \(self.demand)\(quoted)\(secret ? "" : self.advice(on: text))")
    }

    /// Returns nil if the kind does not accept the text.
    private func value(of text: String) -> SettingValue? {
        switch self {
        case .integer(let range, _): Int(text).flatMap { range.contains($0) ? .integer($0) : nil }
        case .boolean: Bool(text).map { .boolean($0) }
        case .text, .word, .ratio, .time, .choice, .address, .file, .folder, .origin, .pageOrigin, .issuer,
            .returnPrefix, .scheme, .appleAppID, .androidPackage, .fingerprint, .probeLink, .link, .picture, .color,
            .contact, .host, .trustedPeer, .country, .language, .names, .list:
            self.accepts(text) ? .text(text) : nil
        }
    }

    /// Returns the text as a message may repeat it: without the user of a URL, who may have a password, and without the
    /// end of a long text.
    private static func shown(_ text: String) -> String {
        var shownText = text
        if let start = text.firstRange(of: "://")?.upperBound {
            let authority = text[start...].prefix { !"/?#".contains($0) }
            if let at = authority.lastIndex(of: "@") { shownText = "\(text[..<start])…\(text[at...])" }
        }
        return shownText.count > 100 ? "\(shownText.prefix(80))…" : shownText
    }

    /// Whether its texts are the paths of files or folders.
    var isPath: Bool {
        switch self {
        case .file, .folder: true
        case .list(let element): element.isPath
        default: false
        }
    }

    /// Throws what is wrong with each of the items.
    private func items(_ nodes: [ConfigurationNode]) throws(ConfigurationError) -> [String] {
        var items: [String] = []
        var mistakes: [String] = []
        for node in nodes {
            do throws(ConfigurationError) {
                guard let item = try self.item(node) else { continue }
                guard !items.contains(item) else { throw ConfigurationError("names \"\(item)\" twice") }
                items.append(item)
            } catch {
                for message in error.messages where !mistakes.contains(message) { mistakes.append(message) }
            }
        }
        guard mistakes.isEmpty else { throw ConfigurationError(ofValue: mistakes) }
        return items
    }

    private func item(_ node: ConfigurationNode) throws(ConfigurationError) -> String? {
        guard case .scalar(let text) = node.content else {
            throw ConfigurationError("must be a list of \(self.plural), as in [a, b]")
        }
        guard case .text(let item) = try self.value(of: Self.plain(text, secret: false), secret: false) else {
            return nil
        }
        return item
    }

    private static func names(_ members: [ConfigurationNode.Member]) throws(ConfigurationError) -> [String: String] {
        var names: [String: String] = [:]
        for member in members {
            guard Self.isLanguage(member.name) else {
                throw ConfigurationError(
                    "\"\(member.name)\" is not a language tag, as in en, da or pt-BR\(SettingKind.language.advice(on: member.name))"
                )
            }
            guard case .scalar(let text) = member.node.content else {
                throw ConfigurationError("must have a text for \"\(member.name)\"")
            }
            names[member.name] = try Self.plain(text, secret: false)
        }
        guard !names.isEmpty else { throw ConfigurationError("must have a text for at least one language") }
        return names
    }

    /// Refuses control characters, above all line ends: a secret with a line end never works, and the reason is hard to
    /// see.
    private static func plain(_ text: String, secret: Bool) throws(ConfigurationError) -> String {
        guard !text.isEmpty else { throw ConfigurationError("is empty") }
        // The names of Unicode are looked up only for what is not ASCII, because a start checks every setting.
        guard
            !text.unicodeScalars.contains(where: {
                $0.isASCII ? $0.value < 0x20 || $0.value == 0x7F : $0.properties.generalCategory == .control
            })
        else {
            throw ConfigurationError("contains a control character, such as a line end")
        }
        guard !text.utf8.contains(UInt8(ascii: "$")) || !text.contains(/\$\{[A-Za-z_][A-Za-z0-9_]*(:?-[^}]*)?\}/) else {
            throw ConfigurationError(
                "contains a variable in braces, and no variable is replaced here: give the setting by its own variable")
        }
        guard !(text.first.map { "“”„‟«»".contains($0) } ?? false && text.last.map { "“”„‟«»".contains($0) } ?? false)
        else {
            throw ConfigurationError(
                "is in typographic quotation marks, which are a part of it: write \" in place of them")
        }
        return text
    }
}
