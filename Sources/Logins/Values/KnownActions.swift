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
