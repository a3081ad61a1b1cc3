import OpenIDConnect

/// The third-party apps that a resolver may open beside DigiD's, and how they return.
package struct ThirdPartyApps: Sendable {
    /// What the return from such an app proves about the device that the user logged in on.
    package enum Proof: String, CaseIterable, Sendable {
        /// The resolver reads in the app's signed answer which request it answers, as in DigiD's.
        case callbackLink = "callback_link"
        /// The return proves nothing: whoever starts a login can bring somebody else's artifact.
        case unproven = "none"
    }

    /// The parameter in OneWelcome's documentation.
    package static let usualParameter = ResponseParameters.artifact

    /// A link opens an app if its host and its path begin with one of these.
    package let links: [EndpointURL]
    /// The parameter of the return link that has the artifact.
    package let artifactParameter: String
    package let proof: Proof

    package init(links: [EndpointURL], artifactParameter: String, proof: Proof) {
        self.links = links
        self.artifactParameter = artifactParameter
        self.proof = proof
    }

    /// Parameters of a link to our app that have another meaning, whichever app it comes from.
    package static let reserved: Set<String> = [
        AppToAppText.name, "error", "iss", "login", "proof", "response", ResponseParameters.resumeURI, "state",
        "switch",
    ]
}
