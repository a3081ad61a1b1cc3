import Foundation
import SwitchbackClient

/// What the app is made of, as far as it can see itself: what `diagnose()` compares with the server.
struct AppFacts: Sendable {
    /// `CFBundleIdentifier`.
    var bundleID = ""
    /// `LSApplicationQueriesSchemes`.
    var querySchemes: [String] = []
    /// The keys of `Info.plist` whose value is not empty.
    var infoKeys: Set<String> = []
    /// The associated domains that the provisioning profile allows. Nil if it allows any, or cannot be read: an app
    /// from the App Store has none.
    var associatedDomains: [String]?
    /// The host of the app's https links; nil if it has none.
    var returnHost: String?
    /// What the host's `apple-app-site-association` is. Nil if it cannot be read.
    var association: Data?
    /// What Apple's server has of that file. Nil if it cannot be asked, or the app does not read it there.
    var fetchedAssociation: Data?
    /// The app's own scheme for links; nil if it has none.
    var returnScheme: String?
    /// The schemes of `CFBundleURLTypes`.
    var ownSchemes: [String] = []
    /// The schemes of the e-IDs' apps, as the server names them.
    var schemesOfApps: [String] = []
    /// What each provider may be opened in, by its id; empty if it opens only the e-ID's app.
    var surfaces: [String: [Surface]] = [:]
    /// Whether auth sessions can end at an https link.
    var hasHTTPS = true
    /// What the store said to an item; nil if it works.
    var storeError: String?
    /// What the Secure Enclave said to a key; nil if it made one.
    var keyError: String?
    /// Whether logins become sessions, which may use biometrics.
    var hasSession = false

    /// The services of an associated domain that a login needs: sessions end at the link, or the link opens the app.
    static let services = ["webcredentials", "applinks"]

    /// Reads the associated domains of a provisioning profile, which is a signed property list.
    static func associatedDomains(inProfile profile: Data) -> [String]? {
        guard let begin = profile.range(of: Data("<?xml".utf8)),
            let end = profile.range(of: Data("</plist>".utf8), in: begin.lowerBound..<profile.endIndex),
            let list = try? PropertyListSerialization.propertyList(
                from: profile.subdata(in: begin.lowerBound..<end.upperBound), options: [], format: nil),
            let entitlements = (list as? [String: Any])?["Entitlements"] as? [String: Any]
        else { return nil }
        switch entitlements["com.apple.developer.associated-domains"] {
        case let domains as [String]: return domains.contains("*") ? nil : domains
        case is String: return nil
        default: return []
        }
    }

    /// The value of `CFBundleURLTypes`.
    static func schemes(ofURLTypes value: Any?) -> [String] {
        (value as? [[String: Any]] ?? []).flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
    }

    /// Whether a site's file lists the app under a service. Its ids are `TEAM.bundle`.
    func isListed(under service: String, in association: Data?) -> Bool {
        guard let association, let json = try? JSONSerialization.jsonObject(with: association) as? [String: Any],
            let part = json[service] as? [String: Any]
        else { return false }
        let details = part["details"] as? [[String: Any]] ?? []
        let ids =
            (part["apps"] as? [String] ?? []) + details.flatMap { $0["appIDs"] as? [String] ?? [] }
            + details.compactMap { $0["appID"] as? String }
        return ids.contains { $0.split(separator: ".", maxSplits: 1).last.map(String.init) == self.bundleID }
    }
}
