/// What the server tells the app to do next.
import JOSE

enum PhoneNext: Equatable, Sendable {
    case openBrowser(String)
    case openApp(String)
    case resumeBrowser(String)
    case showBrowser
    case enterCode
    case wait

    init(_ next: JSON.Object?) {
        let url = (next?["url"] ?? next?["universal_link"])?.string
        switch (next?["action"]?.string, url) {
        case ("open_browser", let url?): self = .openBrowser(url)
        case ("open_app", let url?): self = .openApp(url)
        case ("resume_browser", let url?): self = .resumeBrowser(url)
        case ("show_browser", _): self = .showBrowser
        case ("enter_code", _): self = .enterCode
        default: self = .wait
        }
    }
}
