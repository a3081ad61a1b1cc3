import Logging

/// How much of the room for waiting log lines a line may use. The higher ranks have room that the lower ones cannot
/// take.
enum LogRank: Int, CaseIterable, Sendable {
    /// Any stranger can cause such lines, as many as they like.
    case ordinary
    case warning
    /// How a login ended. It may be all that is known of it.
    case end
    case error

    init(_ level: Logger.Level, event: String) {
        switch level {
        case .error, .critical: self = .error
        case .trace, .debug, .info, .notice, .warning:
            self = event == "login_ended" ? .end : level == .warning ? .warning : .ordinary
        }
    }

    /// The part of the room that may be in use when a line of this rank is added, in eighths.
    var eighths: Int {
        switch self {
        case .ordinary: 4
        case .warning: 6
        case .end: 7
        case .error: 8
        }
    }
}
