import Base
import CSSL
import HTTPServer
import Synchronization
import TestSupport
import Testing

/// Which clients can resume sessions by tickets, and what can be replaced while the server runs.
@Suite struct TLSResumptionTests {
    private static let offers = [ClientTLS.Offer.tls12, .tls13]

    /// Makes one connection with a request. Returns what the client keeps, and whether the session was resumed.
    private static func visit(
        _ server: TestServer, _ offer: ClientTLS.Offer, _ session: ClientTLS.Session? = nil
    ) async throws -> (session: ClientTLS.Session?, isResumed: Bool) {
        var offer = offer
        offer.session = session
        let (client, tls, isOpen) = try await server.client(offer)
        #expect(isOpen, "\(tls.error)")
        #expect(await client.ask(TLSStage.question)?.text == "hello")
        return (tls.session, tls.isResumed)
    }

    @Test(arguments: Self.offers) func `a ticket resumes its session`(_ offer: ClientTLS.Offer) async throws {
        try await withServer(loops: 2, tls: try TLSStage.server()) { server in
            var session = try await Self.visit(server, offer).session
            for _ in 0..<5 {
                let next = try await Self.visit(server, offer, session)
                #expect(next.isResumed)
                // In TLS 1.3 a client uses no ticket twice.
                let isNew = next.session?.ticket != session?.ticket
                #expect(isNew == (offer.versions == ClientTLS.Offer.tls13.versions))
                session = next.session
            }
        }
    }

    /// A ticket key makes tickets for four hours and opens them for four more.
    @Test(arguments: Self.offers, [(0, true), (3, true), (5, true), (7, true), (8, false), (100, false)])
    func `the keys of tickets are replaced`(_ offer: ClientTLS.Offer, _ row: (hours: Int64, isResumed: Bool))
        async throws
    {
        let clock = Clock()
        let tls = try ServerTLS(try TLSStage.settings(), now: { clock.now })
        try await withServer(tls: tls) { server in
            let session = try await Self.visit(server, offer).session
            clock.advance(row.hours * 3600)
            #expect(try await Self.visit(server, offer, session).isResumed == row.isResumed)
        }
    }

    /// In TLS 1.2 a client with a ticket of the previous key gets one of the present key.
    @Test(arguments: Self.offers)
    func `a client that comes often is resumed forever`(_ offer: ClientTLS.Offer) async throws {
        let clock = Clock()
        let tls = try ServerTLS(try TLSStage.settings(), now: { clock.now })
        try await withServer(tls: tls) { server in
            var session = try await Self.visit(server, offer).session
            for _ in 0..<6 {
                clock.advance(3 * 3600)
                let next = try await Self.visit(server, offer, session)
                #expect(next.isResumed)
                session = next.session
            }
        }
    }

    @Test(arguments: Self.offers) func `a ticket of another server is ignored`(_ offer: ClientTLS.Offer) async throws {
        try await withServer(tls: try TLSStage.server()) { first in
            let session = try await Self.visit(first, offer).session
            try await withServer(tls: try TLSStage.server()) { second in
                let other = try await Self.visit(second, offer, session)
                #expect(!other.isResumed)
            }
        }
    }

    // MARK: - Replacing

    @Test(arguments: Self.offers)
    func `certificates are replaced while the server runs`(_ offer: ClientTLS.Offer) async throws {
        let tls = try TLSStage.server()
        try await withServer(tls: tls) { server in
            let (old, before, _) = try await server.client(offer)
            #expect(try before.sees(try TLSStage.first.get()))
            #expect(await old.ask(TLSStage.question)?.text == "hello")
            try tls.replace(with: try TLSStage.settings(try TLSStage.exact.get()))
            #expect(throws: OperatorError("TLS needs a certificate")) { try tls.replace(with: TLSSettings([])) }
            let (new, after, _) = try await server.client(offer)
            #expect(try after.sees(try TLSStage.exact.get()), "a failure changes nothing")
            #expect(await new.ask(TLSStage.question)?.text == "hello")
            #expect(await old.ask(TLSStage.question)?.text == "hello", "open connections go on")
            #expect(try await Self.visit(server, offer, before.session).isResumed, "tickets stay good")
        }
    }

    /// A handshake in progress continues with the settings that it began with.
    @Test func `a handshake in progress goes on`() async throws {
        let tls = try TLSStage.server()
        try await withServer(tls: tls) { server in
            let (client, side) = (try server.client(), try ClientTLS(.tls13))
            _ = side.handshake()
            let hello = side.takeOutgoing()
            await client.sendRaw(Array(hello.prefix(50)))
            await server.waits { $0.book.count("bytes") > 0 }
            try tls.replace(with: try TLSStage.settings(try TLSStage.exact.get()))
            await client.sendRaw(Array(hello.dropFirst(50)))
            #expect(await client.begin(side))
            #expect(try side.sees(try TLSStage.first.get()))
        }
    }

    // MARK: - Certificates of clients

    enum Shown: Sendable, CaseIterable { case none, good, foreign, expired, selfSigned }

    private static func identity(_ shown: Shown) throws -> MintedIdentity? {
        let authority = try TLSStage.authority.get()
        return switch shown {
        case .none: nil
        case .good: try MintedIdentity(["client.example"], issuer: authority)
        case .foreign: try MintedIdentity(["client.example"], issuer: try MintedIdentity([], isAuthority: true))
        case .expired: try MintedIdentity(["client.example"], until: -60, issuer: authority)
        case .selfSigned: try MintedIdentity(["client.example"])
        }
    }

    @Test(arguments: Shown.allCases, Self.offers)
    func `clients show the certificates that are asked for`(_ shown: Shown, _ offer: ClientTLS.Offer)
        async throws
    {
        let authorities = try TLSStage.authorities()
        for (clients, isTaken) in [
            (TLSClients.off, true), (.optional(authorities), shown == .none || shown == .good),
            (.required(authorities), shown == .good),
        ] {
            try await withServer(tls: try ServerTLS(try TLSStage.settings(clients: clients))) { server in
                var offer = offer
                offer.identity = try Self.identity(shown)
                // In TLS 1.3 the client finishes before the server has seen its certificate.
                let (client, tls, isOpen) = try await server.client(offer)
                let reply = isOpen ? await client.ask(TLSStage.question) : nil
                #expect((reply?.text == "hello") == isTaken, "\(tls.error)")
                if !isTaken {
                    await server.waits { $0.book.count("handshake client_certificate") == 1 }
                    #expect(server.book.count("handshake client_certificate") == 1)
                    #expect(tls.error.contains("alert"))
                    #expect(server.book.count("request") == 0)
                }
            }
        }
    }

    /// A ticket is exactly as good as the certificate that it was issued for.
    @Test(arguments: Self.offers)
    func `a ticket is no way around a certificate`(_ offer: ClientTLS.Offer) async throws {
        let authorities = try TLSStage.authorities()
        let tls = try ServerTLS(try TLSStage.settings(clients: .optional(authorities)))
        try await withServer(tls: tls) { server in
            let session = try await Self.visit(server, offer).session
            #expect(try await Self.visit(server, offer, session).isResumed)
            try tls.replace(with: try TLSStage.settings(clients: .required(authorities)))
            var offer = offer
            offer.session = session
            let (client, side, isOpen) = try await server.client(offer)
            if isOpen { #expect(await client.ask(TLSStage.question) == nil) }
            #expect(!side.isResumed)
            #expect(server.book.count("handshake client_certificate") == 1)
        }
    }
}

private final class Clock: Sendable {
    private let seconds = Mutex<Int64>(1000)

    var now: Int64 { self.seconds.withLock { $0 } }

    func advance(_ count: Int64) { self.seconds.withLock { $0 += count } }
}
