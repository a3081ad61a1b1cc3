import Foundation
import SwitchbackClient

/// Finds out whether an e-ID's app is on this phone.
struct AppProbe: Sendable {
    /// `LSApplicationQueriesSchemes`, in any case of letters.
    var querySchemes: [String] = []
    /// Asks the system whether an app opens a link.
    var canOpen: @MainActor @Sendable (URL) -> Bool

    /// Returns nil if nobody can tell: the e-ID has no link to ask about, or `Info.plist` does not name its scheme, so
    /// that the system always says no. A link of the web says nothing, because a browser opens it.
    @MainActor func isInstalled(_ provider: EIDProvider) -> Bool? {
        let allowed = Set(self.querySchemes.map { $0.lowercased() })
        let links = provider.probeLinks.compactMap(URL.init(string:))
        let usable = links.filter { $0.scheme.map { allowed.contains($0.lowercased()) } ?? false }
            .filter { !["http", "https"].contains($0.scheme?.lowercased()) }
        if usable.contains(where: self.canOpen) { return true }
        return usable.isEmpty || usable.count < provider.probeLinks.count ? nil : false
    }
}
