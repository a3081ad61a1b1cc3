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

    /// How the path of the call ends whose response was refused. Nil if the word does not say it.
    private var path: String? {
        switch self.word.prefix(while: { $0 != "_" }) {
        case "id", "token", "assurance", "amr", "aal", "ial", "person", "exchange": "/token"
        case "userinfo": "/userinfo"
        case "par": "/par"
        case "keys": "/jwks"
        case "discovery", "directory": "/openid-configuration"
        default: nil
        }
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
