import Mustache

/// What the template of a page is given.
struct PageValues: MustacheParent {
    /// All that a template can name.
    enum Name: String, CaseIterable {
        case language, direction, look, title, heading, text, textLanguage
        case app, name, style, icon, logo, logoDark, logoText
        case time, timeLeft, timeEnding, ending, moreTime, moreTimeButton
        case state, refresh, script
        case code, codeEnd, codeSpoken, codeSummary, codeLabel, codeWarning, codeHint
        case openCode, foldedCode
        case notStarted, hint
        case againButton, returnURL, backButton
        case reference, referenceLabel, referenceHint, supportURL, supportLink
        case help
    }

    /// How the page shows its code.
    enum CodeForm {
        case open
        /// Behind a question that the user opens.
        case folded
    }

    /// What decides which parts of the template a page has.
    struct Outline: Hashable {
        let names: Set<Name>
        let codeForm: CodeForm?
    }

    private var texts: [Name: String] = [:]
    /// Nil if the page has no code.
    var codeForm: CodeForm?

    var outline: Outline { Outline(names: Set(self.texts.keys), codeForm: self.codeForm) }

    subscript(_ name: Name) -> String? {
        get { self.texts[name] }
        set { self.texts[name] = newValue }
    }

    func child(named name: String) -> Any? {
        guard let name = Name(rawValue: name) else { return nil }
        switch name {
        case .openCode: return self.codeForm == .open
        case .foldedCode: return self.codeForm == .folded
        case .help: return self[.reference] != nil || self[.supportURL] != nil
        default: return self.texts[name]
        }
    }
}
