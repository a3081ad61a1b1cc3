import Foundation
import SwitchbackClient

/// What to open now, and in what: the decision before any browser is opened.
struct BrowserOpening: Hashable, Sendable {
    let url: URL
    let browser: BrowserSurface

    /// Returns nil for a URL that no browser takes: the system traps on one that is not of the web.
    ///
    /// A login goes on in what it began in (`earlier`), while this phone has it. Else it gets what the app asked for
    /// (`preference`) if the server lists it, and the first of the server's list that this phone has if not.
    init?(_ launch: BrowserLaunch, preference: Surface?, earlier: BrowserSurface?, hasHTTPS: Bool) {
        guard let url = URL(string: launch.url), ["https", "http"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else { return nil }
        self.url = url
        if let earlier, Self.isThere(earlier, hasHTTPS: hasHTTPS) {
            self.browser = earlier
            return
        }
        let preferences = [preference].compactMap { $0 }
            .filter { launch.surfaces.isEmpty || launch.surfaces.contains($0) }
        let choices = (preferences + launch.surfaces).compactMap { Self.browser($0, launch, hasHTTPS: hasHTTPS) }
        self.browser = choices.first ?? BrowserSurface(surface: .tab)
    }

    private static func browser(_ surface: Surface, _ launch: BrowserLaunch, hasHTTPS: Bool) -> BrowserSurface? {
        switch surface {
        case .authSession:
            SessionCallback(launch, hasHTTPS: hasHTTPS).map {
                BrowserSurface(surface: surface, callback: $0, isEphemeral: launch.isEphemeral)
            }
        case .tab, .system: BrowserSurface(surface: surface)
        default: nil
        }
    }

    private static func isThere(_ browser: BrowserSurface, hasHTTPS: Bool) -> Bool {
        guard browser.surface == .authSession else { return [.tab, .system].contains(browser.surface) }
        switch browser.callback {
        case .https?: return hasHTTPS
        case .scheme?: return true
        case nil: return false
        }
    }
}
