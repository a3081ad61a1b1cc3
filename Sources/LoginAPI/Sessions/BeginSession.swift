import Base
import HTTPWire
import Logins
import Sessions

/// `POST /v1/sessions`: a completed login becomes a session, or its session gets new tokens. A repeated request has
/// the same result.
final class BeginSession: RespondingHandler {
    private let logins: LoginFlow
    private let access: SessionAccess
    private let audit: AuditDesk?
    /// What a login with each provider may become, by provider. A provider that is not in it allows `access`.
    private let levels: [String: SessionLevel]
    /// The providers whose e-ID's scheme has agreed to sessions.
    private let permitted: Set<String>

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard let access = SessionAccess(services) else { return nil }
        self.logins = services.logins
        self.access = access
        self.audit = services.audit
        self.levels = services.settings.sessionLevels
        self.permitted = services.settings.sessionPermissions
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _: String) async throws(Problem) -> Response {
        let secret = try PollSecret(in: context.request)
        let body = try NewSessionBody(context.request)
        // A bearer app sends no proof.
        let proof = context.request.fields.has(.dpop) ? try self.access.proof(of: context, as: Problem.self) : nil
        let view = try await translatingErrors { () async throws(LoginFlowError) in
            try await self.logins.loadView(secret.loginID, secret: secret)
        }
        try self.access.limits.takeBeginning(of: view.id, at: context.loop.elapsed)
        guard view.status.isFinal else { throw Problem(.notFinal) }
        guard let login = self.completed(view) else { throw Problem(.sessionNotAllowed) }
        try self.audit?.admit()
        let tokens: SessionTokens
        do throws(SessionError) {
            let statement = body.statement.map { PhoneStatement($0, for: view.id) }
            tokens = try await self.access.sessions.begin(login, proof: proof, statement: statement)
        } catch {
            throw error == .keyRequired && proof == nil ? Problem(.dpopProofRequired) : Problem(session: error)
        }
        try await self.audit?.recordBeginning(of: tokens, with: login, id: view.id)
        return SessionJSON.response(tokens, unknown: body.unknown)
    }

    /// Returns nil unless the login is completed.
    private func completed(_ view: LoginView) -> CompletedLogin? {
        guard let identity = view.result?.identity, let completedAt = view.completedAt, let keepUntil = view.keepUntil
        else { return nil }
        return CompletedLogin(
            app: view.app, provider: view.provider, eid: identity.eid, country: identity.country,
            subject: Secret(identity.account),
            acr: identity.acr, amr: identity.methods, authTime: identity.authenticatedAt, proof: view.proof ?? .none,
            completedAt: completedAt, keepUntil: keepUntil, platform: view.platform?.rawValue,
            thumbprint: view.dpopThumbprint, level: self.levels[view.provider] ?? .access,
            hasPermission: self.permitted.contains(view.provider))
    }
}
