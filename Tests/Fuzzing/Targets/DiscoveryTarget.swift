import OpenIDConnect
import StrictJSON

/// Discovery documents (Discovery 1.0, 3): an accepted one is the issuer's, and sends us to no other host.
enum DiscoveryTarget {
    private static let hosts = ["op.example", "keys.example"]

    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let policy = EndpointPolicy(hosts: ["keys.example"])
        guard let metadata = try? ProviderMetadata(parsing: input, issuer: Example.issuer, policy: policy) else {
            return .refused
        }
        let document = (try? JSON(parsing: input))?.object ?? [:]
        try require(document.says("issuer", Example.issuer), "accepted of another issuer")
        let aliases = metadata.mtlsEndpointAliases
        let named = [
            metadata.userinfoEndpoint, metadata.pushedAuthorizationRequestEndpoint, aliases.token, aliases.userinfo,
            aliases.pushedAuthorizationRequest,
        ]
        let endpoints = [metadata.authorizationEndpoint, metadata.tokenEndpoint, metadata.jwksURI]
        for endpoint in endpoints + named.compactMap({ (try? $0.get()) ?? nil }) { try self.check(endpoint) }
        try require(metadata.codeChallengeMethods?.contains("S256") != false, "accepted without S256")
        try self.checkRequest(metadata)
        return .accepted
    }

    /// Reads the endpoint in another way than `EndpointURL`: the host is the text before the first delimiter.
    private static func check(_ endpoint: EndpointURL) throws(Violation) {
        let text = Array(endpoint.text.utf8)
        try require(text.allSatisfy { (0x21...0x7E).contains($0) }, "an endpoint with a blank")
        try require(endpoint.text.lowercased().hasPrefix("https://"), "an insecure endpoint")
        let rest = endpoint.text.dropFirst("https://".count)
        let authority = rest.prefix { !"/?#\\@".contains($0) }.lowercased()
        let host = authority.prefix { $0 != ":" }
        try require(self.hosts.contains(String(host)), "an endpoint on another host")
        try require(authority.dropFirst(host.count + 1).utf8.allSatisfy { (0x30...0x39).contains($0) }, "no port")
        try require(!rest.dropFirst(authority.count).hasPrefix("@"), "an endpoint with a user")
    }

    /// The browser goes where the document says, with our parameters and no others.
    private static func checkRequest(_ metadata: ProviderMetadata) throws(Violation) {
        let request = AuthorizationRequest(client: Example.client, challenge: Example.challenge, scope: ["openid"])
        guard case .url(let url)? = try? request.authorization(metadata: metadata, now: Example.now) else {
            throw Violation("no request can be made")
        }
        try require(url.hasPrefix(metadata.authorizationEndpoint.text), "a request to another place")
        guard url.utf8.count <= 2048 else { return }
        try require(EndpointURL(url)?.origin == metadata.authorizationEndpoint.origin, "a request to another origin")
    }
}
