import Base

/// Why the server refused what a broker sent, in the words of docs/reference/errors.md.
struct FailedCheck: Sendable {
    private static let field = "broker_error="
    /// The words that the server logs, each with its meaning.
    private static let meanings = WordTable(embeddedFiles["broker-errors.txt"] ?? "")

    /// As the log has it, such as `id_token_nonce`.
    let word: String

    /// Reads the log of a login. Nil if no line names an error of its broker.
    init?(log: [String]) {
        let words = log.compactMap { line -> String? in
            guard let mark = line.firstRange(of: Self.field) else { return nil }
            let value = line[mark.upperBound...]
            if value.first == "\"" { return String(value.dropFirst().prefix { $0 != "\"" }) }
            return String(value.prefix { $0 != " " })
        }
        guard let word = words.last, !word.isEmpty else { return nil }
        self.word = word
    }

    /// What it means, in a sentence.
    var meaning: String { Self.meanings.cells(of: self.word)?.first ?? "The broker's own error." }

    /// How words begin, and how the path of the call ends whose response was refused. The first that fits counts.
    private static let paths = [
        ("id", "/token"), ("token", "/token"), ("assurance", "/token"), ("amr", "/token"), ("aal", "/token"),
        ("ial", "/token"), ("person", "/token"), ("exchange", "/token"), ("userinfo", "/userinfo"), ("par", "/par"),
        ("keys", "/jwks"), ("discovery", "/openid-configuration"), ("directory", "/openid-configuration"),
        ("ciba_init_auth", "/init-auth"), ("ciba", "/connect/ciba"), ("headless", "/headless/authorize"),
        ("launch_links_complete", "/bankid/complete"), ("launch_links_poll", "/bankid/poll"),
        ("init", "/digid/init"), ("complete", "/digid/complete"),
    ]

    /// Nil if the word does not say it.
    private var path: String? {
        Self.paths.first { self.word == $0.0 || self.word.hasPrefix("\($0.0)_") }?.1
    }

    /// Returns the call whose response was refused.
    func call(in calls: [RecordedCall], of login: String) -> RecordedCall? {
        if self.word.hasPrefix("response_") {
            return calls.last { $0.login == login && $0.path.hasPrefix("/callback/") }
        }
        guard let path else { return nil }
        return calls.last { call in
            (call.login == login || call.login == nil) && call.to == .broker
                && call.path.prefix { $0 != "?" }.hasSuffix(path)
        }
    }
}
