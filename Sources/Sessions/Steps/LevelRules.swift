// Which level a login may get: the lowest of what the app, the provider, the e-ID, the same-device proof and the
// platform allow.

import Base
import Logins

extension SessionTerms {
    func level(of login: CompletedLogin) -> SessionLevel {
        var level = min(self.level, login.level)
        let isLimited =
            // Somebody who starts a login for another person must not end up with a session.
            login.proof == .none
            // Six digits can be talked out of people.
            || (login.proof == .pageCode && !self.allowsCodeProof)
            || Self.isLimited(login)
            // A web page cannot keep a key as a phone can.
            || login.platform == "web"
            || login.thumbprint == nil
        if isLimited { level = min(level, .access) }
        return level
    }

    /// Whether the e-ID's rules limit the login. A provider can be named after a broker and carry several e-IDs, so the
    /// login's own `acr` counts too.
    private static func isLimited(_ login: CompletedLogin) -> Bool {
        let names = [login.eid ?? login.provider] + [login.acr].compactMap(\.self)
        return switch EIDScheme(names: names, countries: [login.country].compactMap(\.self)) {
        case .digid: true
        case .swedishBankID: !login.hasPermission
        case nil: false
        }
    }
}
