/// Where a client that shows a certificate sends its requests (RFC 8705 §5).
extension Client {
    /// The plain endpoint, or its alias, if the client authenticates by a certificate and the provider names one.
    func endpoint(
        _ plain: EndpointURL, or alias: KeyPath<EndpointAliases, EndpointURL?>, of metadata: ProviderMetadata
    ) throws(ClientAuthentication.Failure) -> EndpointURL {
        guard self.authentication.isMutualTLS else { return plain }
        switch metadata.mtlsEndpointAliases {
        case .success(let aliases): return aliases[keyPath: alias] ?? plain
        case .failure: throw .endpointAlias
        }
    }
}
