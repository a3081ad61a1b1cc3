#if canImport(UIKit)
import AuthenticationServices
import SafariServices
import UIKit

/// A window and the browser on top of it: performs what a login decides, and decides nothing.
@MainActor final class WindowBrowser: NSObject, LoginWindow {
    let name: String
    private weak var window: UIWindow?
    private var authSession: ASWebAuthenticationSession?
    private var safari: SFSafariViewController?
    private var ended: (@MainActor (BrowserEnd) -> Void)?
    private var count = 0

    init(_ window: UIWindow) {
        self.window = window
        self.name = Self.name(of: window)
        super.init()
    }

    static func name(of window: UIWindow) -> String { window.windowScene?.session.persistentIdentifier ?? "window" }

    func isFor(_ window: UIWindow) -> Bool { self.window === window }

    var hasBrowser: Bool { self.authSession != nil || self.safari != nil }

    var hasHTTPS: Bool { if #available(iOS 17.4, *) { true } else { false } }

    func open(_ opening: BrowserOpening, ended: @escaping @MainActor (BrowserEnd) -> Void) {
        self.closeBrowser()
        self.ended = ended
        switch opening.browser.surface {
        case .authSession: self.openSession(opening)
        case .system: UIApplication.shared.open(opening.url)
        default: self.openSafari(opening.url)
        }
    }

    func open(_ attempt: AppLinks.Attempt) async -> Bool {
        let options: [UIApplication.OpenExternalURLOptionsKey: Any] =
            attempt.isUniversalOnly ? [.universalLinksOnly: true] : [:]
        return await UIApplication.shared.open(attempt.url, options: options)
    }

    func closeBrowser() {
        let (session, safari) = (self.authSession, self.safari)
        (self.authSession, self.safari, self.ended) = (nil, nil, nil)
        session?.cancel()
        safari?.dismiss(animated: true)
    }

    // MARK: - Auth sessions

    private func openSession(_ opening: BrowserOpening) {
        self.count += 1
        let number = self.count
        // `@Sendable`, because the system may call it on another thread. A closure of the main actor would trap
        // there.
        let completion: @Sendable (URL?, (any Error)?) -> Void = { [weak self] link, error in
            let end = BrowserEnd(link: link, error: error)
            Task { @MainActor in self?.sessionEnded(number, end) }
        }
        guard let session = Self.session(opening, completion) else { return self.openSafari(opening.url) }
        session.presentationContextProvider = self
        session.prefersEphemeralWebBrowserSession = opening.browser.isEphemeral
        self.authSession = session
        // False means that it could not be shown. Its completion handler is not called then.
        if !session.start() { self.sessionEnded(number, .notShown) }
    }

    private static func session(
        _ opening: BrowserOpening, _ completion: @escaping @Sendable (URL?, (any Error)?) -> Void
    )
        -> ASWebAuthenticationSession?
    {
        switch opening.browser.callback {
        case .https(let host, let path)?:
            guard #available(iOS 17.4, *) else { return nil }
            let callback = ASWebAuthenticationSession.Callback.https(host: host, path: path)
            return ASWebAuthenticationSession(url: opening.url, callback: callback, completionHandler: completion)
        case .scheme(let scheme)?:
            return ASWebAuthenticationSession(
                url: opening.url, callbackURLScheme: scheme, completionHandler: completion)
        case nil: return nil
        }
    }

    /// A session that `closeBrowser` closed also ends here, perhaps after the next one was opened.
    private func sessionEnded(_ number: Int, _ end: BrowserEnd) {
        guard self.authSession != nil, number == self.count else { return }
        self.authSession = nil
        self.report(end)
    }

    private func report(_ end: BrowserEnd) {
        let ended = self.ended
        self.ended = nil
        ended?(end)
    }

    // MARK: - Safari

    private func openSafari(_ url: URL) {
        // There is no screen to show it on.
        guard let screen = self.topmost else { return self.report(.notShown) }
        let configuration = SFSafariViewController.Configuration()
        // The address bar stays: users must see where they are.
        configuration.barCollapsingEnabled = false
        let safari = SFSafariViewController(url: url, configuration: configuration)
        safari.delegate = self
        // A sheet can be swiped away.
        safari.modalPresentationStyle = .fullScreen
        self.safari = safari
        screen.present(safari, animated: true)
    }

    /// A controller that already presents another one cannot present, so the last of them has to.
    private var topmost: UIViewController? {
        var top = self.window?.rootViewController
        while let next = top?.presentedViewController, !next.isBeingDismissed { top = next }
        return top
    }
}

extension WindowBrowser: ASWebAuthenticationPresentationContextProviding {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        self.window ?? ASPresentationAnchor()
    }
}

extension WindowBrowser: SFSafariViewControllerDelegate {
    /// UIKit calls this only if the user closes it, not for `dismiss`.
    func safariViewControllerDidFinish(_ controller: SFSafariViewController) {
        guard controller === self.safari else { return }
        self.safari = nil
        self.report(.closed)
    }
}
#endif
