/// What a client may be told to do next, by its name in the API.
package enum LoginAction: String, CaseIterable, Sendable {
    case openBrowser = "open_browser"
    case resumeBrowser = "resume_browser"
    case showBrowser = "show_browser"
    case openApp = "open_app"
    case enterCode = "enter_code"
    case wait
}
