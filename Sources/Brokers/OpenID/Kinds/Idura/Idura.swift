import Base
import OpenIDConnect

/// Idura Verify, formerly Criipto Verify (`kind: idura`). Its two flows without a browser are
/// `LaunchLinkFlow` and `HeadlessFlow`.
///
/// How it differs (sources: its documentation and its own SDKs):
/// - `acr_values` selects the e-ID. The ID token repeats it as `authenticationtype`, not always as `acr`.
/// - Settings for the e-ID are tokens in `login_hint`, separated by blanks, so none may contain one.
/// - Only some e-IDs support the app switch: it breaks the biometrics of Norwegian BankID, and turns Swedish BankID's
///   page into JSON. MitID and Freja may have it; Swedish BankID on iOS gets the link alone.
/// - Client id and secret are form-encoded in `Authorization`, because its client ids contain colons.
/// - A user's id that is known beforehand is such a token too (`sub:…`). It identifies a person, so it is only pushed.
/// - `sub` is in braces; texts are sent in base64.
package struct Idura: BrokerKind {
    package typealias Options = IduraOptions

    package static let name = "idura"
    package static let summary = "Idura (Criipto) Verify"
    package static let portal: String? = "https://dashboard.idura.app"
    package static let flows = [Provider.Flow.launchLinks, .headless]

    private static let usualGrantType = "urn:grn:params:grant-type:headless"
    private static let usualLink = "https://app.bankid.com/"

    package static let settings = [
        KindOption(
            "headless_grant_type", .word, .text(Self.usualGrantType), after: "allow_private_addresses",
            isRefusedElsewhere: false,
            "For kind idura: the grant type of flow headless. Its documentation has two spellings; change it if the broker refuses this one."
        ),
        KindOption(
            "bankid_link", .url, .text(Self.usualLink), after: "allow_private_addresses", isRefusedElsewhere: false,
            "For kind idura: the link that opens the app of Swedish BankID in flow headless."),
    ]

    private enum Switch {
        case whole
        /// Only the link, and only on iOS.
        case linkOnIOS
        case none
    }

    private static let prefix = "urn:grn:authn:"

    private let headlessGrantType: String
    /// The link that opens Swedish BankID's app.
    let bankIDLink: String

    package init(headlessGrantType: String? = nil, bankIDLink: String? = nil) {
        self.headlessGrantType = headlessGrantType ?? Self.usualGrantType
        self.bankIDLink = bankIDLink ?? Self.usualLink
    }

    package init(_ values: some OptionValues) {
        self.init(headlessGrantType: values.text("headless_grant_type"), bankIDLink: values.text("bankid_link"))
    }

    package func parameters(for provider: Provider, _ context: AuthorizationContext) -> [Parameter] {
        let options = Self.options(of: provider)
        var tokens = self.appSwitch(provider, context)
        if let action = options.action { tokens.append("action:\(action)") }
        tokens += context.parameters.filter { $0.name == "login_hint" }.flatMap { Self.tokens(of: $0.value) }
        if let message = options.message { tokens.append("message:" + Base64.encode(Array(message.utf8))) }
        return tokens.isEmpty ? [] : [Parameter("login_hint", tokens.joined(separator: " "))]
    }

    /// Allows only the tokens that fill in a user's number. The others are ours to set.
    package func accepts(_ parameter: Parameter) -> Bool {
        guard parameter.name == "login_hint" else { return true }
        let tokens = Self.tokens(of: parameter.value)
        return !tokens.isEmpty && tokens.allSatisfy { token in Self.prefills.contains { token.hasPrefix($0) } }
    }

    private static let prefills = ["sub:", "vatid:", "uuid:", "BIM:", "BID:", "BIS:"]

    private static func tokens(of hint: String) -> [String] { hint.split(separator: " ").map { String($0) } }

    private func appSwitch(_ provider: Provider, _ context: AuthorizationContext) -> [String] {
        guard context.switchesApps || provider.opensApp, provider.acrValues.count == 1,
            let acr = provider.acrValues.first
        else { return [] }
        let link = (context.switchURL ?? context.returnURL).map { ["appswitch:resumeUrl:\($0)"] } ?? []
        // No page of the order is needed: the response contains what an app needs to open BankID.
        if provider.flow == .launchLinks {
            return context.phone == .android ? ["appswitch:android"] : ["appswitch:ios"] + link
        }
        switch (Self.appSwitch(of: acr), context.platform) {
        case (.whole, .ios), (.whole, .android): return ["appswitch:\(context.platform?.rawValue ?? "")"] + link
        // A browser on a phone: the user presses a button, and returns to the browser.
        case (.whole, .web): return context.system.map { ["appswitch:\($0)", "target:web"] } ?? []
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

    package func grantType(of flow: Provider.Flow) -> String {
        flow == .headless ? self.headlessGrantType : "authorization_code"
    }

    package func returnLink(redirectsToApp: Bool) -> ReturnLink? { ReturnLink(name: "resumeUrl", needsEntry: false) }

    /// Its ID tokens always have the claim.
    package var sendsAuthTimeOnRequest: Bool { false }
}
