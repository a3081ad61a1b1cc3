/// When an authorization response must name its issuer (RFC 9207). One that it names must always be the right one.
package enum IssuerPolicy: String, CaseIterable, Sendable {
    /// In every response.
    case require
    /// With a code; an error may come without, also from a provider that promises otherwise.
    case successOnly = "success_only"
    /// When the provider promises it (RFC 9207 §2.4).
    case optional
}
