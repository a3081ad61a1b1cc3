/// Why the server refused what a broker sent, in the words of docs/reference/errors.md.
struct FailedCheck: Sendable {
    private static let field = "broker_error="
    /// The words that the server logs, each with its meaning. `…` stands for a part that varies.
    private static let meanings: [(word: String, meaning: String)] =
        (embeddedFiles["broker-errors.txt"] ?? "").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", maxSplits: 1)
            return cells.count == 2 ? (String(cells[0]), String(cells[1])) : nil
        }

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
    var meaning: String {
        let match =
            Self.meanings.first { $0.word == self.word }
            ?? Self.meanings.first { $0.word.contains("…") && Self.covers($0.word, self.word) }
        return match?.meaning ?? "The broker's own error."
    }

    private static func covers(_ pattern: String, _ word: String) -> Bool {
        let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, word.hasPrefix(first), word.hasSuffix(last),
            word.count > pattern.count - parts.count
        else { return false }
        return parts.dropFirst().dropLast().allSatisfy { word.contains($0) }
    }

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
