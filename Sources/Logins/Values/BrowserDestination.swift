/// Where to send the browser that delivered the authorization response.
package enum BrowserDestination: Equatable, Sendable {
    /// The page of this login, with its token.
    case page(token: String)
    /// A link that opens the app. The browser session ends there and shows no page.
    case app(url: String)
}
