/// The texts of the screens in one language. Set those that your app says in another way.
public struct ScreenTexts: Hashable, Sendable {
    /// Continues a login, or sends what was typed.
    public var continueButton: String
    /// Cancels the login.
    public var giveUpButton: String
    /// The title while the login is paused.
    public var pausedTitle: String
    /// The text while the login is paused.
    public var pausedText: String
    /// The title if the e-ID's app did not open.
    public var appMissingTitle: String
    /// The text if the login can go on without the e-ID's app.
    public var appMissingText: String
    /// The text if the login needs the e-ID's app.
    public var appNeededText: String
    /// The title above the field for the code.
    public var codeTitle: String
    /// Where the code is, and what to do with it.
    public var codeText: String
    /// The name of the field for the code.
    public var codeLabel: String
    /// The note after a wrong code.
    public var wrongCodeText: String
    /// Opens the page with the code again.
    public var showPageButton: String
    /// Stands before the number of tries.
    public var triesLabel: String
    /// The text while the server gives no usable response.
    public var retryingText: String
    /// The title above the field for the PIN.
    public var pinTitle: String
    /// The note after a wrong PIN.
    public var wrongPINText: String
    /// The title above the field for a new PIN.
    public var newPINTitle: String
    /// What the new PIN is for, and which are good.
    public var newPINText: String
    /// The title above the field for the new PIN once more.
    public var repeatPINTitle: String
    /// The note if the new PIN was typed in two ways.
    public var differentPINText: String
    /// The note if the new PIN is easy to guess.
    public var easyPINText: String
    /// Unlocks by face or finger.
    public var biometricsButton: String
    /// The title while the login goes on by itself.
    public var workingTitle: String
    /// The title while the server gives no usable response.
    public var retryingTitle: String
    /// The note if the server gave no usable response to the PIN.
    public var noResponseText: String
    /// Stands before what the user reads out to support.
    public var referenceLabel: String
}

extension ScreenTexts {
    /// Returns the texts of the first of these languages that there is, in English if there is none. `languages` are
    /// BCP 47 tags. A language that few have read, such as `kl`, must be in `optIn`.
    public init(languages: [String], optIn: Set<String> = []) {
        self = Self.texts(of: languages, optIn: optIn) ?? .en
    }

    /// What most readers of a language also read.
    private static let neighbours = ["fo": "da", "kl": "da", "nn": "nb"]

    private static func texts(of languages: [String], optIn: Set<String>) -> ScreenTexts? {
        let hiddenTags = Self.optInTags.subtracting(optIn)
        let textsByTag = Dictionary(
            uniqueKeysWithValues: Self.all.filter { !hiddenTags.contains($0.key) }
                .map { ($0.key.lowercased(), $0.value) })
        let tags = languages.map(Self.subtags)
        return tags.flatMap(Self.prefixes).lazy.compactMap { textsByTag[$0] }.first
            ?? tags.lazy.compactMap { $0.first.flatMap { Self.neighbours[$0] } }
            .compactMap { textsByTag[$0] }.first
    }

    /// Returns the subtags that matter: a script has four letters, and no language here has two scripts.
    private static func subtags(of language: String) -> [String] {
        var subtags = language.lowercased().split { $0 == "-" || $0 == "_" }.prefix(8).map(String.init)
        // Norwegian without more is Bokmål.
        if subtags.first == "no" { subtags[0] = "nb" }
        if subtags.count > 1, subtags[1].count == 4, subtags[1].allSatisfy(\.isLetter) { subtags.remove(at: 1) }
        return subtags
    }

    /// Returns the tag and each shorter one, the longest first.
    private static func prefixes(of subtags: [String]) -> [String] {
        subtags.indices.reversed().map { subtags[...$0].joined(separator: "-") }
    }
}
