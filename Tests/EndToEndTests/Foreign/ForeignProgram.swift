/// The programs that foreign OpenID providers are, and what they demand of those who use them.
enum ForeignProgram: String, CaseIterable, Sendable {
    /// In Python, on authlib and joserfc: a web application with pages, cookies, sessions and consent.
    case canaille
    /// In C, on rhonabwy: its login page is script that calls a REST API.
    case glewlwyd
    /// In Python, on cryptojwt: a library's provider with one plain page.
    case idpyoidc

    /// Whether its answers have an `iss` (RFC 9207): idpyoidc's forms have none.
    func names(itselfIn how: BrokerVariant) -> Bool { self != .idpyoidc || !how.isForm }

    /// Whether a variant is tried twice, with `prompt=login` the second time: canaille's consent then leads back to its login
    /// page for ever.
    var takesPrompt: Bool { self != .canaille }
}
