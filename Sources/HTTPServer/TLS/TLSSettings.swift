/// What a server that speaks TLS is told.
package struct TLSSettings: Sendable {
    /// The first is for clients that name no host, or one that none of them covers.
    package var identities: [TLSIdentity]
    package var clients: TLSClients

    package init(_ identities: [TLSIdentity], clients: TLSClients = .off) {
        self.identities = identities
        self.clients = clients
    }
}
