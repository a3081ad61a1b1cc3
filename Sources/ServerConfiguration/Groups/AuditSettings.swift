/// Where the audit goes, and what happens when it cannot be written.
package final class AuditSettings: SettingGroup {
    package enum Policy: String, CaseIterable, Sendable {
        case refuse
        case drop
    }

    package let file = Setting<String?>(
        "audit.file", optional: .file, atStart: true,
        "Where records of what was given to whom go: a file that only this server writes to, a named pipe, or an open descriptor as /dev/fd/3. It needs keys.audit. Without it there is no audit."
    )
    package let onFull = Setting<Policy>(
        "audit.on_full", .choice, default: .refuse, atStart: true,
        "What happens while records cannot be written, because the disk is full or nobody reads the pipe: refuse answers new logins, results and sessions with 503, and apps try again; drop goes on, and a record says how many are missing."
    )
    package let waiting = Setting<Int>(
        "audit.waiting", .integer(16...1_000_000), default: 8192, atStart: true,
        "How many records wait in memory while they cannot be written, each less than a kilobyte. With refuse, up to half of them are of steps that can be refused; beyond it all are dropped and counted."
    )
    package let renewals = Setting<Bool>(
        "audit.renewals", .boolean, default: false,
        "Whether each access token that a session gets is a record too. An app in use gets one every few minutes.")

    package static let declared = AuditSettings()
}
