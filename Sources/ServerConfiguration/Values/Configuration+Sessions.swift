// What sessions are made with: their lifetimes, their keys, and the terms of each app.

import Attestation
import Base
import JOSE
import KeyFiles
import Sessions

extension Configuration {
    package struct Sessions: Sendable {
        /// Sessions that began earlier have ended.
        package let validFrom: Timestamp?
        package let accessTokenLifetime: Duration
        package let idle: Duration
        package let lifetime: Duration
        package let attestedLifetime: Duration
        package let pinTries: Int

        init(_ top: SettingScope) throws(SettingScope.AbsentError) {
            self.validFrom = top.time("sessions.valid_from")
            self.accessTokenLifetime = try top.need("sessions.access_token_lifetime", SettingScope.seconds)
            self.idle = try top.need("sessions.idle", SettingScope.seconds)
            self.lifetime = try top.need("sessions.lifetime", SettingScope.seconds)
            self.attestedLifetime = try top.need("sessions.attested_lifetime", SettingScope.seconds)
            self.pinTries = try top.need("sessions.pin_tries", SettingScope.integer)
        }
    }

    /// The settings of the sessions; nil without their keys. Then no app has sessions.
    package var sessionConfiguration: SessionConfiguration? {
        guard let keys = SessionKeys(self.sessionKeys), let signer = self.accessKeys.signer(nil) else { return nil }
        return SessionConfiguration(
            issuer: self.publicURL.text, keys: keys, signer: signer, verificationKeys: self.accessKeySet,
            terms: Dictionary(
                uniqueKeysWithValues: self.apps.compactMap { app in
                    app.terms(self.attestation.policy(of: app)).map { (app.id, $0) }
                }),
            accessTokenLifetime: self.sessions.accessTokenLifetime, idle: self.sessions.idle,
            lifetime: self.sessions.lifetime, attestedLifetime: self.sessions.attestedLifetime,
            pinTries: self.sessions.pinTries, validFrom: self.sessions.validFrom, idleLimits: self.sessionIdleLimits)
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
    func time(_ name: String) -> Timestamp? { self.text(name).flatMap { Timestamp(wholeSecondRFC3339: $0) } }

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
