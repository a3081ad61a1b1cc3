/// What an app may see of its login now.
import Base
import Brokers

package struct LoginView: Equatable, Sendable {
    /// What the app should do now.
    package enum Next: Equatable, Sendable {
        /// `androidBrowsers` are those that the e-ID works in; empty when all do.
        case openBrowser(url: String, androidBrowsers: [String] = [])
        /// Open the e-ID's app itself.
        case openApp(AppTarget)
        /// Bring the same browser to the front; open this there only if it is gone.
        case resumeBrowser(url: String)
        /// The person logged in, and has to come back by the page's button. `url` brings the page back if its browser is
        /// gone.
        case showBrowser(url: String, androidBrowsers: [String] = [])
        /// The person logged in, and has to type the code of the page. `url` as above.
        case enterCode(url: String, androidBrowsers: [String] = [])
        case wait
    }

    package let id: LoginID
    package let status: LoginStatus
    package let version: Int
    package let app: String
    package let provider: String
    package let platform: Visit.Platform?
    /// How the app's assertions are made.
    package let assertion: AssertionTerms?
    package let createdAt: Timestamp
    /// When it expires; once it is final, until when the result is kept.
    package let expiresAt: Timestamp
    package let reason: Reason?
    /// What the broker tells of the e-ID's app, where it does.
    package let hint: Hint?
    /// Nil once the login is final.
    package let next: Next?
    /// Only of a completed login.
    package let result: LoginResult?
    package let proof: Proof?
    /// How links begin that open the app for this login.
    package let returnPrefixes: [String]
    /// What to open links in, the best first.
    package var surfaces: [Visit.Surface] = [.authSession, .tab]
    /// Whether an auth session should share no cookies with the browser.
    package var isEphemeral = false

    package var reference: String { self.id.reference }
}
