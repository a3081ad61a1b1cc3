import Base
import StrictJSON

/// What the server tells the app to do next.
enum PhoneNext: Equatable, Sendable {
    case openBrowser(String)
    case openApp(String)
    case resumeBrowser(String)
    /// The URL shows the page again.
    case showBrowser(String?)
    case enterCode(String?)
    case wait

    init(_ next: JSON.Object?) {
        let url = (next?["url"] ?? next?["universal_link"])?.string
        switch (next?["action"]?.string, url) {
        case ("open_browser", let url?): self = .openBrowser(url)
        case ("open_app", let url?): self = .openApp(url)
        case ("resume_browser", let url?): self = .resumeBrowser(url)
        case ("show_browser", let url): self = .showBrowser(url)
        case ("enter_code", let url): self = .enterCode(url)
        default: self = .wait
        }
    }
}
