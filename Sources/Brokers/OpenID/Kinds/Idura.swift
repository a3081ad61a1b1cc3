/// Idura Verify, formerly Criipto Verify, where a browser carries the login (`kind: idura`).
///
/// How it differs, from its documentation and its own SDKs:
/// - `acr_values` picks the e-ID. The ID token repeats it as `authenticationtype`, not always as `acr`.
/// - What the e-ID is to know are tokens in `login_hint`, separated by blanks, so none may hold one.
/// - The app switch is for some e-IDs only: for Norwegian BankID it breaks the biometrics, and for Swedish BankID it turns
///   the page into JSON. MitID and Freja may have it; Swedish BankID on iOS takes the link alone.
/// - Client id and secret are form-encoded in `Authorization`, because its client ids hold colons.
/// - `sub` stands in braces; texts are sent in base64.
import JOSE
import OpenIDConnect

package struct Idura: BrokerKind {
    private enum Switch {
        case whole
        /// Only the link, and only on iOS.
        case linkOnIOS
        case none
    }

    private static let prefix = "urn:grn:authn:"

    package init() {}

    package func parameters(for provider: Provider, _ visit: Visit) -> [(name: String, value: String)] {
        var tokens = self.appSwitch(provider, visit)
        if let action = provider.action { tokens.append("action:\(action)") }
        if let message = provider.message { tokens.append("message:" + Base64.encode(Array(message.utf8))) }
        return tokens.isEmpty ? [] : [("login_hint", tokens.joined(separator: " "))]
    }

    private func appSwitch(_ provider: Provider, _ visit: Visit) -> [String] {
        guard visit.switchesApps, provider.acrValues.count == 1, let acr = provider.acrValues.first else { return [] }
        let link = visit.returnURL.map { ["appswitch:resumeUrl:\($0)"] } ?? []
        switch (Self.appSwitch(of: acr), visit.platform) {
        case (.whole, .ios), (.whole, .android): return ["appswitch:\(visit.platform?.rawValue ?? "")"] + link
        // A browser on a phone: the person presses a button, and comes back to it.
        case (.whole, .web): return visit.system.map { ["appswitch:\($0)", "target:web"] } ?? []
        case (.linkOnIOS, .ios): return link
        case (.whole, nil), (.linkOnIOS, _), (.none, _): return []
        }
    }

    private static func appSwitch(of acr: String) -> Switch {
        guard acr.hasPrefix(self.prefix) else { return .none }
        let name = acr.dropFirst(self.prefix.count)
        if name.hasPrefix("dk:mitid") || name == "se:frejaid" { return .whole }
        return name.hasPrefix("se:bankid") ? .linkOnIOS : .none
    }

    package var claimNames: ClaimNames {
        var names = ClaimNames()
        names.contextClasses = ["acr", "authenticationtype"]
        return names
    }
}
