import Base
import Logins
import Sessions

/// What the handlers of apps and browsers work with: everything that one configuration gives them.
struct PublicServices: Sendable {
    let settings: PublicSettings
    let logins: LoginFlow
    /// Nil if no app has sessions.
    let sessions: SessionFlow?
    let pages: Pages
    let files: PublicFiles
    let now: @Sendable () -> Timestamp
    let limits: RequestLimits
    let longPolls: LongPolls
    let answers: LoginResponses
    let keys: AppKeys
    /// Nil without an audit.
    let audit: AuditDesk?

    init(
        _ settings: PublicSettings, logins: LoginFlow, sessions: SessionFlow?, pages: Pages, files: PublicFiles,
        limits: RequestLimits, longPolls: LongPolls, audit: AuditDesk?, now: @escaping @Sendable () -> Timestamp
    ) {
        self.settings = settings
        self.logins = logins
        self.sessions = sessions
        self.pages = pages
        self.files = files
        self.now = now
        self.limits = limits
        self.longPolls = longPolls
        self.audit = audit
        self.answers = LoginResponses(
            LoginJSON(polling: settings.polling), assertions: settings.assertions, longPolls: longPolls, limits: limits,
            audit: audit, now: now, delivered: logins.noteDelivery)
        self.keys = AppKeys(keys: settings.apps.mapValues(\.key))
    }
}
