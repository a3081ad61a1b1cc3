/// What the server checks of an ID token, as a list with ✓ and ✗.
struct IDTokenChecks: Sendable {
    private static let prefix = "id_token_"
    /// Each with the beginnings of the words that the server logs if it fails.
    private static let checks: [(name: String, words: [String])] = [
        ("A key of the broker has signed it", ["algorithm", "unknown_key", "ambiguous_key", "signature"]),
        ("iss is the broker", ["issuer"]),
        ("aud is this server, and so is azp", ["audience", "foreign_audience", "authorized_party"]),
        ("exp, iat and nbf fit the time", ["expired", "expiry", "issued", "not_yet_valid"]),
        ("nonce is that of this login", ["nonce"]), ("sub names the user", ["subject"]),
        ("at_hash and c_hash fit", ["access_token_hash", "code_hash"]), ("acr is one that was asked for", ["acr"]),
        ("auth_time is new enough", ["auth_time", "not_fresh"]), ("Everything else is as agreed", [""]),
    ]

    let failedCheck: FailedCheck?
    /// That of the login.
    let status: String?

    /// Empty before the server has checked the token.
    var markup: Markup {
        if let failedCheck, failedCheck.word.hasPrefix(Self.prefix) { return self.refused(failedCheck) }
        guard self.failedCheck == nil, ["awaiting_return", "completed"].contains(self.status) else { return "" }
        return self.list(Self.checks.map { "<li>✓ \($0.name)</li>\n" as Markup })
    }

    /// The server stops at the first check that fails, so nobody knows how the others would have ended.
    private func refused(_ check: FailedCheck) -> Markup {
        let word = check.word.dropFirst(Self.prefix.count)
        let place = Self.checks.firstIndex { $0.words.contains { word.hasPrefix($0) } }
        let rows = Self.checks.enumerated().map { index, row -> Markup in
            index == place ? "<li class=\"bad\">✗ \(row.name): \(check.meaning)</li>\n" : "<li>– \(row.name)</li>\n"
        }
        return "\(self.list(rows))<p>The server stops at the first check that fails.</p>\n"
    }

    private func list(_ rows: [Markup]) -> Markup {
        "<h3>Checked</h3>\n<ul class=\"checks\">\n\(rows)</ul>\n"
    }
}
