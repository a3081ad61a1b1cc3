import Base
import Brokers

/// What an app may see of its login now.
package struct LoginView: Equatable, Sendable {
    /// What the app should do now.
    package enum Next: Equatable, Sendable {
        /// `androidBrowsers` are the browsers that the e-ID works in. Empty if it works in all.
        case openBrowser(url: String, androidBrowsers: [String] = [])
        /// Open the e-ID's app itself.
        case openApp(AppTarget)
        /// Bring the same browser to the front. Open this URL there only if the browser is gone. `androidBrowsers` as
        /// above.
        case resumeBrowser(url: String, androidBrowsers: [String] = [])
        /// The user has logged in and must return through the button on the page. `url` shows the page again if its
        /// browser is gone.
        case showBrowser(url: String, androidBrowsers: [String] = [])
        /// The user has logged in and must type the code on the page. `url` as above.
        case enterCode(url: String, androidBrowsers: [String] = [])
        case wait

        package var action: LoginAction {
            switch self {
            case .openBrowser: .openBrowser
            case .openApp: .openApp
            case .resumeBrowser: .resumeBrowser
            case .showBrowser: .showBrowser
            case .enterCode: .enterCode
            case .wait: .wait
            }
        }
    }

    package let id: LoginID
    package let status: LoginStatus
    package let version: Int
    package let app: String
    package let provider: String
    package let platform: AuthorizationContext.Platform?
    /// How to make the app's assertions.
    package let assertion: AssertionTerms?
    package let createdAt: Timestamp
    /// When the login expires. Once it is final: until when the result is kept.
    package let expiresAt: Timestamp
    package let reason: Reason?
    /// What the broker reports about the e-ID's app, if it does.
    package let hint: Hint?
    /// Nil once the login is final.
    package let next: Next?
    /// Set only for a completed login.
    package let result: LoginResult?
    package let proof: SameDeviceProof?
    /// The prefixes of the links that open the app for this login.
    package let returnPrefixes: [String]
    /// The surfaces to open links in, the best first.
    package var surfaces: [AuthorizationContext.Surface] = [.authSession, .tab]
    /// Whether an auth session should share no cookies with the browser.
    package var isEphemeral = false
    /// When the identity was released to the app. Set only for a completed login.
    package var completedAt: Timestamp?
    /// The thumbprint of the key that may begin the session. Set only for a completed login, if its create named one.
    package var dpopThumbprint: String?

    /// Until when the result is kept. Set only for a completed login.
    package var keepUntil: Timestamp? { self.completedAt == nil ? nil : self.expiresAt }

    package var reference: String { self.id.reference }
}

/// What a client may be told to do next, by its name in the API.
package enum LoginAction: String, CaseIterable, Sendable {
    case openBrowser = "open_browser"
    case resumeBrowser = "resume_browser"
    case showBrowser = "show_browser"
    case openApp = "open_app"
    case enterCode = "enter_code"
    case wait
}

/// The actions that a client knows, as its create names them.
///
/// A client takes an unknown action for `wait`. So an action that needs the user is only for clients that know it, and
/// others get a page.
package struct KnownActions: Equatable, Sendable {
    /// The actions of a client whose create names none. An action that a later version adds is not among them.
    package static let usual = KnownActions(
        [LoginAction.openBrowser, .resumeBrowser, .showBrowser, .openApp, .enterCode].map(\.rawValue))

    /// Sorted, each once. Some may be names that only a later version gives a meaning. `wait` is always among them.
    package let names: [String]

    package init(_ names: [String]) { self.names = Set(names + [LoginAction.wait.rawValue]).sorted() }

    func contains(_ action: LoginAction) -> Bool { self.names.contains(action.rawValue) }
}
