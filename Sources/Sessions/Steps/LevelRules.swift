/// Which level a login may get: the lowest of what the app, the provider, the e-ID, the same-device proof and the
/// platform allow.
import Base
import Logins

extension SessionTerms {
    /// Whether it is the name of DigiD among the e-IDs. DigiD forbids derived identities, whichever broker carries it.
    package static func isDigiD(_ eid: String) -> Bool { eid.lowercased().contains("digid") }

    func level(of login: CompletedLogin) -> SessionLevel {
        var level = min(self.level, login.level)
        let isLimited =
            // Somebody who starts a login for another person must not end up with a session.
            login.proof == .none
            // Six digits can be talked out of people.
            || (login.proof == .pageCode && !self.allowsCodeProof)
            || Self.isDigiD(login.eid ?? login.provider)
            // A web page cannot keep a key as a phone can.
            || login.platform == "web"
            || login.thumbprint == nil
        if isLimited { level = min(level, .access) }
        return level
    }
}
