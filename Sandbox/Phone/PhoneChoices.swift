/// What a visitor may choose about the phone and its browser, folded below the app.
enum PhoneChoices {
    /// The languages of the pages, each with the name that its readers use.
    package static let languages = [
        (tag: "da", name: "Dansk"), (tag: "de", name: "Deutsch"), (tag: "en", name: "English"),
        (tag: "fi", name: "Suomi"), (tag: "fo", name: "Føroyskt"), (tag: "kl", name: "Kalaallisut"),
        (tag: "nb", name: "Norsk bokmål"), (tag: "nl", name: "Nederlands"), (tag: "nn", name: "Norsk nynorsk"),
        (tag: "sv", name: "Svenska"), (tag: "sv-FI", name: "Svenska (Finland)"),
    ]

    static var markup: Markup {
        let languages = self.languages.map { language -> Markup in
            "<option value=\"\(language.tag)\" lang=\"\(language.tag)\">\(language.name)</option>\n"
        }
        return """
            <details>
            <summary>Change the phone and its browser</summary>
            <label for="platform">Phone</label>
            <select id="platform" name="platform">
            <option value="ios">iPhone</option>
            <option value="android">Android</option>
            </select>
            <label for="eid_app">The e-ID's app</label>
            <select id="eid_app" name="eid_app">
            <option value="yes">is installed</option>
            <option value="no">is not installed</option>
            </select>
            <label for="surface">The app opens the login in</label>
            <select id="surface" name="surface">
            <option value="tab">a tab inside the app</option>
            <option value="auth_session">an auth session</option>
            <option value="system">the system’s browser</option>
            </select>
            <label for="colors">Colours of its pages</label>
            <select id="colors" name="colors">
            <option value="">as this browser</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
            </select>
            <label for="locale">Language of the pages</label>
            <select id="locale" name="locale">
            <option value="">as this browser</option>
            \(languages)</select>
            </details>
            """
    }
}
