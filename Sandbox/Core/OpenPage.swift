import Base
import HTTPWire

/// An authorize page that waits for the user.
struct OpenPage: Sendable {
    static let lifetime = Duration.seconds(900)
    /// Of the page's name, so that each login has a cookie of its own. Other apps see the name, but not the value.
    private static let markLength = 12

    let authRequest: SandboxAuthorizationRequest
    /// The cookie of the browser in which the login began, where only that browser may continue it.
    let cookie: BrowserCookie?

    /// Creates the page with this name.
    init(_ authRequest: SandboxAuthorizationRequest, as name: String, at broker: any SimulatedBroker) {
        self.authRequest = authRequest
        self.cookie =
            broker.bindsToBrowser(authRequest.parameters)
            ? BrowserCookie("sandbox_login_\(name.prefix(Self.markLength))", for: Self.lifetime) : nil
    }

    /// Whether the browser of this request may continue the login.
    func isOpen(to request: Request) -> Bool { self.cookie?.isIn(request) ?? true }

    /// The response to any other browser. The login stays open in the browser in which it began.
    static let otherBrowser = ErrorPage(
        code: "other_browser",
        description: "This login was begun in another browser: the cookie that it got there is missing here. Continue "
            + "in that browser. Nothing was sent to the app."
    ).response
}
