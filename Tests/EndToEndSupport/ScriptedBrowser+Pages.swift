// What a user sees on the pages.

extension ScriptedBrowser {
    /// The link of the done page's button.
    package var button: String? { self.first(/class="button" href="([^"]+)"/) }

    /// The six digits on the done page.
    package var code: String? {
        self.page.text.firstMatch(of: /class="code" aria-hidden="true"><span>([0-9]{3})<\/span><wbr><span>([0-9]{3})</)
            .map {
                "\($0.1)\($0.2)"
            }
    }

    /// The link on the sandbox's pages by which the e-ID's app returns to ours.
    package var reportReturn: String? { self.first(/<a href="([^"]+)">Return/) }

    private func first(_ pattern: Regex<(Substring, Substring)>) -> String? {
        self.page.text.firstMatch(of: pattern).map { Self.unescaped(String($0.1)) }
    }
}
