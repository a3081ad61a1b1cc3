/// What users are told about a provider that is switched off.
struct ProviderNotice: Equatable, Sendable {
    /// The text's own language, which may be none of the user's.
    let language: String
    let text: String
}

extension Pages {
    /// Returns the operator's words in the first of these languages that they have, otherwise in English, otherwise in
    /// their first language. Without such words it is our text.
    func notice(of provider: String, languages: [String]) -> ProviderNotice {
        let language = self.strings.language(for: languages)
        guard let notices = self.notices[provider], !notices.isEmpty else {
            return self.notice(of: provider, in: language)
        }
        let tag =
            LanguageLookup(notices.keys.sorted()).first(of: languages + [language.tag])
            ?? (notices["en"] == nil ? notices.keys.min() : "en")
        guard let tag, let text = notices[tag] else { return self.notice(of: provider, in: language) }
        return ProviderNotice(language: tag, text: text)
    }

    /// Returns what an app may show, by language: the operator's words, or our text in each language that we have.
    func notices(of provider: String) -> [String: String] {
        if let notices = self.notices[provider], !notices.isEmpty { return notices }
        return self.strings.languages.mapValues { self.notice(of: provider, in: $0).text }
    }

    private func notice(of provider: String, in language: PageLanguage) -> ProviderNotice {
        let name = self.providers[provider]?.name(in: language.tag)
        let text = language.text(.providerOffText, app: nil, provider: name)
        // An app may show it where a soft hyphen is no hyphen.
        return ProviderNotice(language: language.tag, text: PageSentence.unbroken(text))
    }
}

extension ProviderNotice {
    /// The text's language, for a page in another one. Nil if they are the same, whatever their regions.
    func language(on page: PageLanguage) -> String? {
        func primary(_ tag: String) -> Substring { tag.prefix { $0 != "-" } }
        return primary(self.language) == primary(page.tag) ? nil : self.language
    }
}
