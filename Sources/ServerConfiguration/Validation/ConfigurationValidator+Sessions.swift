// The rules for sessions: what a login may become, and what that needs.

import Base
import Logins
import Sessions

extension ConfigurationValidator {
    mutating func checkSessions() {
        let sessions = SettingReader<SessionSettings>(self.settings)
        if let idle = sessions.idle, let lifetime = sessions.lifetime, lifetime <= idle {
            self.report(
                sessions.path(\.lifetime), "must be longer than sessions.idle. Raise it, or lower sessions.idle")
        }
        if let lifetime = sessions.lifetime, let attested = sessions.attestedLifetime, attested < lifetime {
            self.report(
                sessions.path(\.attestedLifetime),
                "must not be less than sessions.lifetime, because attestation only adds trust. Raise it")
        }
        if let start = sessions.validFrom, start > self.files.now {
            self.warn(sessions.path(\.validFrom), "is in the future. Until then every session ends at once")
        }
        self.checkSessionKeys()
        self.checkSessionAudiences()
        for provider in self.settings.scopes("providers") { self.checkSessions(allowedBy: provider) }
        for app in self.settings.scopes("apps") { self.checkSessions(of: app) }
    }

    private mutating func checkSessionKeys() {
        guard let app = self.settings.scopes("apps").first(where: { $0.session ?? .none > .none }),
            let level = app.session
        else { return }
        for use in ["access", "session"] where self.settings.scopes("keys.\(use)").isEmpty {
            self.problems.append(
                self.settings.problem(
                    SettingPath("keys.\(use)"),
                    "is required, because \(app.path).session is \(level.rawValue). Make a key with `switchback keys generate \(use)`"
                ))
        }
    }

    /// An access token of one app is valid for the API of another app with the same `aud`.
    private mutating func checkSessionAudiences() {
        let apps = self.settings.scopes("apps")
        for (index, app) in apps.enumerated() {
            guard let audience = app.text("session_audience") else { continue }
            if let other = apps.first(where: { $0.audience == audience }) {
                self.report(
                    app, "session_audience",
                    "is the audience of the assertions of \(other.path). One token could then pass as the other: choose another audience"
                )
            }
            let others = apps[..<index].filter { $0.text("session_audience") == audience }
            for other in others where self.checkStrength(of: app, beside: other) { break }
        }
    }

    /// Two apps of one API: whoever has a token of the weaker app has a token for the stronger one. Returns whether it
    /// has found something.
    private mutating func checkStrength(of app: SettingScope, beside other: SettingScope) -> Bool {
        let start = "is the same as that of \(other.path), and only one of them"
        let end = "its access tokens would be valid for the other. Give each app its own"
        if self.asksForNothing(other) != self.asksForNothing(app) {
            self.report(app, "session_audience", "\(start) has a provider that requires no proof: \(end)")
        } else if other.boolean("bearer") ?? false != app.boolean("bearer") ?? false {
            self.report(app, "session_audience", "\(start) has bearer tokens, which are bound to no key: \(end)")
        } else if self.asksForCode(other) != self.asksForCode(app) {
            self.warn(
                app, "session_audience",
                "\(start) has a provider with release: code, and users can be talked out of six digits: \(end), or let the API look at proof in the claim login"
            )
        } else {
            return false
        }
        return true
    }

    private func asksForCode(_ app: SettingScope) -> Bool {
        self.settings.scopes("providers").contains { self.release(of: $0, in: app) == .code }
    }

    private mutating func checkSessions(of app: SettingScope) {
        guard let level = app.session else { return }
        if level > .none, !self.settings.isGiven(app.path.appending("session_audience")) {
            self.report(
                app, "session_audience",
                "is required, because session is \(level.rawValue). Name the API that takes the app's access tokens")
        }
        if app.boolean("bearer") == true, level != .access {
            self.report(
                app, "bearer",
                "is only for session: access, because whoever has a bearer token can use it. Remove it, or lower session"
            )
        }
        if app.boolean("session_by_code") == true, level <= .access {
            self.report(
                app, "session_by_code", "has no effect while session is \(level.rawValue). Remove it, or raise session")
        }
        let caps = self.settings.scopes("providers").compactMap { self.sessionCap(of: $0, in: app) }
        guard let best = caps.max(), best < level else { return }
        self.warn(
            app, "session",
            "is \(level.rawValue), but no login of the app may become more than \(best.rawValue). Look at session of its providers; DigiD, release: immediate, and release: code without session_by_code allow access at most"
        )
    }

    private mutating func checkSessions(allowedBy provider: SettingScope) {
        self.checkScheme(of: provider)
        guard let level = provider.session, level > .access else { return }
        if self.isOfDigiD(provider) {
            self.report(
                provider, "session",
                "must be access or none. DigiD forbids identities that are derived from it, whichever broker carries it"
            )
        } else if provider.eidScheme == .swedishBankID, !provider.hasSessionPermission {
            self.report(
                provider, "session",
                "must be access or none. The rules of Swedish BankID forbid that its login becomes another way to log in, whichever broker carries it. If you have an agreement that permits it, name it in session_permission"
            )
        }
        let owner = self.settings.scopes("apps").first { self.sessionCap(of: provider, in: $0) ?? .none > .access }
        guard let owner, !self.asksForFreshness(provider) else { return }
        self.report(
            provider, "prompt",
            "must contain login, or set max_age, because a login may become a session of \(owner.path). A broker that remembers the user would otherwise begin it without asking"
        )
    }

    /// Returns the most that a login of this provider may become in this app; nil if the app does not have the provider.
    private func sessionCap(of provider: SettingScope, in app: SettingScope) -> SessionLevel? {
        guard let release = self.release(of: provider, in: app), let level = provider.session,
            let wantedLevel = app.session
        else { return nil }
        let provenLevel: SessionLevel =
            switch release {
            // Somebody who starts a login for another person must not end up with a session.
            case .immediate: .access
            // Users can be talked out of six digits.
            case .code: app.boolean("session_by_code") == true ? .unlock : .access
            case .returnLink: .unlock
            }
        return min(level, wantedLevel, provenLevel, self.isLimited(provider) ? .access : .unlock)
    }

    /// Whether the rules of the e-ID forbid sessions.
    private func isLimited(_ provider: SettingScope) -> Bool {
        self.isOfDigiD(provider) || (provider.eidScheme == .swedishBankID && !provider.hasSessionPermission)
    }

    /// Whether the e-ID is DigiD, whichever broker carries it.
    private func isOfDigiD(_ provider: SettingScope) -> Bool {
        self.isDigiD(provider) || provider.eidScheme == .digid
    }

    private mutating func checkScheme(of provider: SettingScope) {
        let isSwedishBankID = provider.eidScheme == .swedishBankID
        if provider.hasSessionPermission, !isSwedishBankID {
            self.warn(
                provider, "session_permission",
                "has no effect: it is for Swedish BankID, whose rules forbid sessions without an agreement. Remove it")
        }
        if isSwedishBankID, !self.settings.isWritten(provider.path.appending("assurance")) {
            self.warn(
                provider, "assurance",
                "is missing, and Swedish BankID names no eIDAS level: it has level 3 of the Swedish framework. Write down which level that is for your API, or none"
            )
        }
    }
}
