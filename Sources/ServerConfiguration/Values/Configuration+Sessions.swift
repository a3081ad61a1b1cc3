// What sessions are made with: their rules, their keys, and the terms of each app.

import Attestation
import JOSE
import KeyFiles
import KeyRing
import Sessions

extension Configuration {
    /// The settings of the sessions; nil without their keys. Then no app has sessions.
    package var sessionConfiguration: SessionConfiguration? { self.sessionConfiguration(with: nil) }

    /// The same, whose access tokens are signed with automatic keys.
    package func sessionConfiguration(with keeper: KeyRingKeeper?) -> SessionConfiguration? {
        guard let keys = SessionKeys(self.sessionKeys), let signer = self.signer(.access, nil, keeper) else {
            return nil
        }
        let files = self.accessKeySet
        var rules = self.sessions.filled(SessionRules.self)
        rules.idleLimits = self.sessionIdleLimits
        return SessionConfiguration(
            issuer: self.publicURL.text, keys: keys, signer: signer,
            readVerificationKeys: {
                guard let automatic = keeper?.keySet(.access), !automatic.keys.isEmpty else { return files }
                return files.adding(automatic)
            },
            terms: Dictionary(
                uniqueKeysWithValues: self.apps.compactMap { app in
                    app.terms(self.attestation.policy(of: app)).map { (app.id, $0) }
                }),
            rules: rules)
    }

    /// The keys that verify access tokens, for the APIs of apps. They are not the keys of assertions, so neither token
    /// passes as the other.
    package var accessKeySet: JWKSet { JWKSet(self.accessKeys.map(\.jwk)) }
}

extension Configuration.App {
    /// Nil if the app has no sessions. A checked configuration has an audience for the others.
    fileprivate func terms(_ attestation: AttestationPolicy?) -> SessionTerms? {
        guard self.session > .none, let audience = self.sessionAudience else { return nil }
        return SessionTerms(
            app: self.id, audience: audience, level: self.session, allowsCodeProof: self.allowsSessionByCode,
            allowsBearer: self.allowsBearer, attestation: attestation)
    }

    /// Whether a create must name the key of the session.
    package var needsThumbprint: Bool { self.session > .none && !self.allowsBearer }
}

extension SettingScope {
    /// What an app wants, or what a provider allows; nil if it was refused.
    var session: SessionLevel? { self.choice("session") }

    /// The scheme of a provider's e-ID, if its rules limit sessions. The provider may have any name, so what it asks its
    /// broker for counts too.
    var eidScheme: EIDScheme? {
        EIDScheme(
            names: [self.text("eid") ?? self.name] + (self.list("acr_values") ?? []),
            countries: self.list("countries") ?? [])
    }

    var hasSessionPermission: Bool { self.text("session_permission").map { !$0.isEmpty } ?? false }

    /// In seconds; nil if only `sessions.idle` counts. Two hours is what resellers of Swedish BankID ask of sessions.
    var sessionIdleLimit: Int? { self.integer("session_idle") ?? (self.eidScheme == .swedishBankID ? 7200 : nil) }
}
