import Audit
import Logins
import Sessions

/// Records what is given to whom, before it is given.
package struct AuditDesk: Sendable {
    private let trail: AuditTrail
    private let names: AuditNames
    /// Whether each new access token of a session is a record too.
    private let recordsRenewals: Bool

    package init(_ trail: AuditTrail, names: AuditNames, recordsRenewals: Bool) {
        self.trail = trail
        self.names = names
        self.recordsRenewals = recordsRenewals
    }

    /// Throws if records cannot be written now. Then nothing should begin that needs one.
    func admit() throws(Problem) { guard self.trail.admits() else { throw Problem(.auditUnavailable) } }

    /// Records that the app is sent the result of the login. Throws if the record cannot be written.
    nonisolated(nonsending) func recordDelivery(of view: LoginView, _ result: LoginResult) async throws(Problem) {
        let identity = result.identity
        try await self.write(
            .delivered(
                AuditEvent.Login(
                    login: view.id.description, reference: view.reference, who: self.names.name(of: identity.account),
                    app: view.app, provider: view.provider, platform: view.platform?.rawValue,
                    assurance: identity.assurance.rawValue, proof: (view.proof ?? .none).rawValue)))
    }

    /// Records that the app is sent the tokens of a session that begins with this login.
    nonisolated(nonsending) func recordBeginning(
        of tokens: SessionTokens, with login: CompletedLogin, id: LoginID
    ) async throws(Problem) {
        var session = AuditEvent.Session(
            session: tokens.sessionID.description, app: login.app, provider: login.provider)
        session.login = id.description
        session.who = self.names.name(of: login.subject.exposedText)
        session.allows = tokens.level.rawValue
        try await self.write(.sessionBegun(session))
    }

    /// Records that the app is sent new tokens, if renewals are recorded.
    nonisolated(nonsending) func recordRenewal(of tokens: SessionTokens, app: String) async throws(Problem) {
        guard self.recordsRenewals else { return }
        var session = AuditEvent.Session(session: tokens.sessionID.description, app: app, provider: nil)
        session.allows = tokens.level.rawValue
        try await self.write(.sessionRenewed(session))
    }

    nonisolated(nonsending) private func write(_ event: AuditEvent) async throws(Problem) {
        guard await self.trail.write(event) else { throw Problem(.auditUnavailable) }
    }
}
