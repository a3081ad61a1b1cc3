/// Which level a login may get: the lowest of what the app, the provider, the e-ID, the same-device proof and the
/// platform allow.
import Base
import Logins

extension SessionTerms {
    /// DigiD forbids derived identities, whichever broker carries it.
    private static let eidsWithoutSessions = ["digid"]

    func level(of login: CompletedLogin) -> SessionLevel {
        var level = min(self.level, login.level)
        let isLimited =
            // Whoever starts a login for somebody else must not end up with a session.
            login.proof == .none
            // Six digits can be talked out of people.
            || (login.proof == .pageCode && !self.allowsCodeProof)
            || login.eid.map { eid in Self.eidsWithoutSessions.contains { identical($0, eid) } } ?? false
            // A web page cannot keep a key as a phone can.
            || login.platform == "web"
            || login.thumbprint == nil
        if isLimited { level = min(level, .access) }
        return level
    }
}
