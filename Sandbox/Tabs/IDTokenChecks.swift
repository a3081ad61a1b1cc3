/// What the server checks of an ID token, as a list with ✓ and ✗.
struct IDTokenChecks: Sendable {
    private static let prefix = "id_token_"
    /// In the order of the server. Each has the beginnings of the words that the server logs if it fails.
    private static let checks: [(claim: String, rule: String, words: [String])] = [
        (
            "form, signature", "are those of a JWT that a key of the broker signed",
            [
                "algorithm", "unknown_key", "ambiguous_key", "signature", "malformed", "type", "claims", "too_large",
                "encrypt", "not_encrypted", "decrypt",
            ]
        ),
        ("iss", "is the broker", ["issuer"]),
        ("aud, azp", "are this server", ["audience", "foreign_audience", "authorized_party"]),
        ("exp, iat, nbf", "fit the time", ["expired", "expiry", "issued", "not_yet_valid"]),
        ("nonce", "is that of this login", ["nonce"]), ("sub", "names the user", ["subject"]),
        ("acr", "is one that was asked for", ["acr"]), ("auth_time", "is new enough", ["auth_time", "not_fresh"]),
        ("at_hash, c_hash", "fit the access token and the code", ["access_token_hash", "code_hash"]),
    ]

    let failedCheck: FailedCheck?
    /// That of the login.
    let status: String?
    /// What is checked, if it can be read.
    var token: ReadToken?

    /// Empty before the server has checked the token.
    var markup: Markup {
        if let failedCheck, failedCheck.word.hasPrefix(Self.prefix) { return self.refused(failedCheck) }
        guard self.failedCheck == nil, ["awaiting_return", "completed"].contains(self.status) else { return "" }
        return self.list(Self.checks.map { self.passed($0.claim, $0.rule) })
    }

    /// The server stops at the first check that fails, so nobody knows how the later ones would have ended.
    private func refused(_ check: FailedCheck) -> Markup {
        let word = check.word.dropFirst(Self.prefix.count)
        guard let place = Self.checks.firstIndex(where: { $0.words.contains { word.hasPrefix($0) } }) else {
            return self.list([self.failed("The token", check)])
        }
        let rows = Self.checks.enumerated().map { index, row -> Markup in
            if index < place { return self.passed(row.claim, row.rule) }
            if index == place { return self.failed(row.claim, check) }
            return "<li>– <strong>\(row.claim)</strong> was not checked any more</li>\n"
        }
        return self.list(rows)
    }

    private func passed(_ claim: String, _ rule: String) -> Markup {
        "<li>✓ <strong>\(claim)</strong> \(rule)</li>\n"
    }

    /// With what the token has there.
    private func failed(_ claim: String, _ check: FailedCheck) -> Markup {
        let value = self.token?.claims[claim]?.string.map { " The token has <code>\($0)</code>." as Markup } ?? ""
        return "<li class=\"bad\">✗ <strong>\(claim)</strong>: \(check.meaning)\(value)</li>\n"
    }

    private func list(_ rows: [Markup]) -> Markup {
        "<h3>What the server checked, in this order</h3>\n<ul class=\"checks\">\n\(rows)</ul>\n"
    }
}
