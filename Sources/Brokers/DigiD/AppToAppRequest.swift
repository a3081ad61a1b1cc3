import StrictJSON

/// What DigiD's app is opened with. The names are DigiD's, and case-sensitive.
struct AppToAppRequest: Sendable {
    let iconURL: String
    let returnURL: String
    let binding: RedirectBinding
    /// Only for tests.
    let host: String?

    func link(to appLink: String) -> String {
        var object: JSON.Object = [
            "Icon": .string(self.iconURL), "ReturnUrl": .string(self.returnURL),
            "SAMLRequest": .string(self.binding.request), "SigAlg": .string(RedirectBinding.algorithm),
            "Signature": .string(self.binding.signature), "RelayState": .string(self.binding.relayState),
        ]
        object["Host"] = self.host.map { .string($0) }
        return AppToAppText.link(object, to: appLink)
    }
}
