/// A window of the app, as a login sees it: what browsers and apps are opened over.
@MainActor protocol LoginWindow: AnyObject {
    /// The name that the system keeps for the window, also after the app was killed.
    var name: String { get }
    /// Whether a browser of a login is on top of the window.
    var hasBrowser: Bool { get }
    /// Whether auth sessions can end at an https link: from iOS 17.4 on.
    var hasHTTPS: Bool { get }

    /// Opens a browser in place of the one that is there, and reports once when it is gone. One that `closeBrowser`
    /// closed is not reported.
    func open(_ opening: BrowserOpening, ended: @escaping @MainActor (BrowserEnd) -> Void)

    /// Opens a link in another app. Returns false if no app takes it.
    func open(_ attempt: AppLinks.Attempt) async -> Bool

    func closeBrowser()
}
