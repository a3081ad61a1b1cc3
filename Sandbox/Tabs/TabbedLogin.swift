/// What the tabs tell of: one login, as the phone's app knows it.
struct TabbedLogin: Sendable {
    let id: String
    let reference: String
    let provider: String
    let providerName: String
    /// Nil until the login has completed.
    let assertion: String?
    /// The one that the app's API gave the app for this login.
    let nonce: String
}
