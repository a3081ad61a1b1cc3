/// Where the browser goes that brought the broker's answer.
package enum BrowserDestination: Equatable, Sendable {
    /// The page of this login, by its token.
    case page(token: String)
    /// A link that opens the app: its browser window ends there, and shows no page.
    case app(url: String)
}
