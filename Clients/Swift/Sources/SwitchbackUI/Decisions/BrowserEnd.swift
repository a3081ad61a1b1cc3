import Foundation

/// What it means that a browser of a login is gone.
enum BrowserEnd: Hashable, Sendable {
    /// It ended at a link to the app.
    case link(String)
    /// The user or an app switch closed it; iOS does not say which. It is not the user's Cancel in the app.
    case closed
    /// The system could not show it, because the window was gone or not in front. Nothing is wrong with the login.
    case notShown
    /// The app is not set up, and this is what the system says about it. It would fail again every time.
    case misconfigured(String)

    /// Reads how an auth session ended. The codes are those of `ASWebAuthenticationSessionError`.
    init(link: URL?, error: (any Error)?) {
        if let link {
            self = .link(link.absoluteString)
            return
        }
        guard let error = error as NSError? else {
            self = .closed
            return
        }
        // A missing entitlement is reported like the user's closing, but with a reason.
        let reason = error.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        switch error.code {
        case 1: self = reason.flatMap { $0.isEmpty ? nil : .misconfigured($0) } ?? .closed
        case 2, 3: self = .notShown
        default: self = .closed
        }
    }
}
