import SwitchbackClient

/// A line from the driver.
struct Order: Decodable, Sendable {
    enum Name: String, Decodable {
        case start, link, closed, cancel, foreground, background, acknowledge, logins
        case enterCode = "enter_code"
        case openAgain = "open_again"
    }

    let order: Name
    var provider: String?
    var platform: NewLogin.Platform?
    var surface: Surface?
    var app: String?
    var link: String?
    var code: String?
}
