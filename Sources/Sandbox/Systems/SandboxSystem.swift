/// Which broker the sandbox plays: a plain OpenID provider, or one with its own ways.
package enum SandboxSystem: String, CaseIterable, Sendable {
    case oidc
    /// Signaturgruppen's Nets eID Broker, with MitID.
    case signaturgruppen
}
