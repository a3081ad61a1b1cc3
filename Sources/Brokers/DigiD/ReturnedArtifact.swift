/// An artifact on its way from the link to the resolver, with whether the link named the login that it is for.
///
/// Only `judge` makes one, from what it saw; the wire never says which it is.
import Base

struct ReturnedArtifact: Equatable, Sendable {
    let artifact: String
    /// The link had our `RelayState`. Without it, nothing that goes wrong with the artifact may end the login.
    let isBound: Bool

    private static let bound = "bound:"
    private static let unbound = "unbound:"

    init(_ artifact: String, isBound: Bool) {
        self.artifact = artifact
        self.isBound = isBound
    }

    /// Nil when it is not what `secret` made.
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
