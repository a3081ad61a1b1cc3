/// Which URLs of a provider we use: those on the issuer's host or a listed one, over https.
package struct EndpointPolicy: Sendable {
    /// Hosts besides the issuer's, in lower case.
    package let hosts: Set<String>
    /// `http` on `localhost`, `127.0.0.0/8` and `[::1]`, for development.
    package let allowInsecureLoopback: Bool
    /// Hosts with permitted `http` that are not loopback, in lower case: a sandbox that a phone must reach.
    package let insecureHosts: Set<String>

    package init(hosts: Set<String> = [], allowInsecureLoopback: Bool = false, insecureHosts: Set<String> = []) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.allowInsecureLoopback = allowInsecureLoopback
        self.insecureHosts = Set(insecureHosts.map { $0.lowercased() })
    }

    /// Checks the issuer's own URL. It must have no query and no fragment (Discovery 1.0, 2).
    package func issuer(_ text: String) throws(EndpointPolicyError) -> EndpointURL {
        guard let url = EndpointURL(text), url.query == nil else { throw .url }
        guard self.isSecure(url) else { throw .insecure }
        return url
    }

    package func endpoint(_ text: String, of issuer: EndpointURL) throws(EndpointPolicyError) -> EndpointURL {
        guard let url = EndpointURL(text) else { throw .url }
        guard self.isSecure(url) else { throw .insecure }
        guard url.host == issuer.host || self.hosts.contains(url.host) else { throw .host }
        return url
    }

    private func isSecure(_ url: EndpointURL) -> Bool {
        switch url.scheme {
        case .https: true
        case .http: (self.allowInsecureLoopback && url.isLoopback) || self.insecureHosts.contains(url.host)
        }
    }
}

/// Why we do not use a URL.
package enum EndpointPolicyError: String, Error, CaseIterable, Sendable {
    /// Not an absolute http(s) URL in its usual spelling.
    case url
    /// `http`, and not an allowed loopback.
    case insecure
    /// Neither the issuer's host nor a listed one.
    case host
}
