import Base

/// An artifact on its way from the link to the resolver, and whether the link named its login.
///
/// Only `validate` creates one from a link, and decides about `isBound`. No parameter of the link can.
struct ReturnedArtifact: Equatable, Sendable {
    let artifact: String
    /// Whether the link had our `RelayState`. Without it, no failure with the artifact may end the login.
    let isBound: Bool

    private static let bound = "bound:"
    private static let unbound = "unbound:"

    init(_ artifact: String, isBound: Bool) {
        self.artifact = artifact
        self.isBound = isBound
    }

    /// Returns nil for text that `secret` did not make.
    init?(_ secret: Secret) {
        let text = secret.exposedText
        if text.hasPrefix(Self.bound) {
            self.init(String(text.dropFirst(Self.bound.count)), isBound: true)
        } else if text.hasPrefix(Self.unbound) {
            self.init(String(text.dropFirst(Self.unbound.count)), isBound: false)
        } else {
            return nil
        }
    }

    var secret: Secret { Secret((self.isBound ? Self.bound : Self.unbound) + self.artifact) }
}

extension ReturnedArtifact: CustomStringConvertible, CustomDebugStringConvertible {
    var description: String { "ReturnedArtifact" }
    var debugDescription: String { "ReturnedArtifact" }
}
