import HTTPServer
import TestSupport

/// Certificates for the TLS tests, made once, and the request that each test sends.
enum TLSStage {
    static let first = Result { try MintedIdentity(["localhost", "first.example"]) }
    static let rsa = Result { try MintedIdentity(["first.example", "rsa.example"], kind: .rsa(bits: 2048)) }
    static let wild = Result { try MintedIdentity(["*.wild.example"]) }
    static let exact = Result { try MintedIdentity(["exact.wild.example"]) }
    static let authority = Result { try MintedIdentity([], isAuthority: true) }

    static let question = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"

    static func identity(_ minted: MintedIdentity) throws -> TLSIdentity {
        try TLSIdentity(certificate: minted.certificate, key: minted.key)
    }

    /// Makes settings with the given certificates, or else with the first one.
    static func settings(_ minted: MintedIdentity..., clients: TLSClients = .off) throws -> TLSSettings {
        let all = minted.isEmpty ? [try Self.first.get()] : minted
        return TLSSettings(try all.map { try Self.identity($0) }, clients: clients)
    }

    static func server() throws -> ServerTLS { try ServerTLS(try Self.settings()) }

    static func authorities() throws -> TLSClients.Authorities {
        guard let authorities = TLSClients.Authorities(pem: try Self.authority.get().certificate) else {
            throw MintedIdentity.Failure()
        }
        return authorities
    }
}
