/// The third-party OpenID providers that the tests use, and what differs between them.
package enum ForeignProgram: String, CaseIterable, Sendable {
    /// A Python web application on authlib and joserfc, with pages, cookies, sessions and consent.
    case canaille
    /// A C program on rhonabwy; its login page is a script that calls a REST API.
    case glewlwyd
    /// The provider of a Python library on cryptojwt, with one plain page.
    case idpyoidc

    /// Whether its authorization responses have an `iss` (RFC 9207): idpyoidc's form posts have none.
    package func names(itselfIn how: BrokerVariant) -> Bool { self != .idpyoidc || !how.isForm }

    /// Whether a variant is tried twice, with `prompt=login` the second time: canaille's consent page would lead back
    /// to its login page forever.
    package var takesPrompt: Bool { self != .canaille }
}
