import CSSL
import EventLoop
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// What a handshake agrees on, and which handshakes fail (RFC 8446, RFC 9325).
@Suite struct TLSHandshakeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let offer: ClientTLS.Offer
        /// The agreed cipher; empty when the handshake must fail.
        let cipher: String
        var version = TLS1_3_VERSION
        var failure = ""

        var testDescription: String { self.name }
    }

    private static func offer(_ change: (inout ClientTLS.Offer) -> Void) -> ClientTLS.Offer {
        var offer = ClientTLS.Offer()
        change(&offer)
        return offer
    }

    /// In TLS 1.2 our order counts, except for clients that put ChaCha20 first.
    private static func row12(order: String, _ cipher: String) -> Row {
        Row(
            name: order,
            offer: Self.offer {
                $0.versions = ClientTLS.Offer.tls12.versions
                $0.ciphers = order
            }, cipher: cipher, version: TLS1_2_VERSION)
    }

    private static func row12(_ cipher: String, isTaken: Bool) -> Row {
        Row(
            name: cipher,
            offer: Self.offer {
                $0.versions = ClientTLS.Offer.tls12.versions
                $0.ciphers = "\(cipher):@SECLEVEL=0"
            }, cipher: isTaken ? cipher : "", version: TLS1_2_VERSION, failure: isTaken ? "" : "cipher")
    }

    static let rows =
        [
            Row(name: "anything", offer: ClientTLS.Offer(), cipher: "TLS_AES_256_GCM_SHA384"),
            Row(name: "TLS 1.2", offer: .tls12, cipher: "ECDHE-ECDSA-AES128-GCM-SHA256", version: TLS1_2_VERSION),
            Row(
                name: "TLS 1.1", offer: Self.offer { $0.versions = TLS1_1_VERSION...TLS1_1_VERSION }, cipher: "",
                failure: "version"),
            Row(
                name: "TLS 1.0", offer: Self.offer { $0.versions = TLS1_VERSION...TLS1_VERSION }, cipher: "",
                failure: "version"),
            Row(
                name: "the client's order",
                offer: Self.offer { $0.suites = "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256" },
                cipher: "TLS_CHACHA20_POLY1305_SHA256"),
            Row(
                name: "CCM",
                offer: Self.offer {
                    $0.suites = "TLS_AES_128_CCM_SHA256"
                    $0.versions = ClientTLS.Offer.tls13.versions
                }, cipher: "", failure: "cipher"),
            Row(name: "P-256", offer: Self.offer { $0.groups = "P-256" }, cipher: "TLS_AES_256_GCM_SHA384"),
            Row(name: "P-384", offer: Self.offer { $0.groups = "P-521:P-384" }, cipher: "TLS_AES_256_GCM_SHA384"),
            Row(
                name: "P-521",
                offer: Self.offer {
                    $0.groups = "P-521"
                    $0.versions = ClientTLS.Offer.tls13.versions
                }, cipher: "", failure: "cipher"),
        ]
        + [
            ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-CHACHA20-POLY1305", true),
            ("ECDHE-ECDSA-AES128-SHA256", false), ("ECDHE-ECDSA-AES256-SHA", false), ("ECDHE-ECDSA-AES128-CCM", false),
            ("DHE-RSA-AES128-GCM-SHA256", false), ("AES128-GCM-SHA256", false), ("AES128-SHA", false),
            ("ECDHE-ECDSA-NULL-SHA", false), ("AECDH-AES128-SHA", false),
        ].map { Self.row12($0.0, isTaken: $0.1) } + [
            Self.row12(
                order: "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305",
                "ECDHE-ECDSA-AES128-GCM-SHA256"),
            Self.row12(
                order: "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"),
        ]

    /// Sources: K3.
    @Test(arguments: Self.rows) func `a handshake agrees on what is strong`(_ row: Row) async throws {
        try await withServer(tls: try TLSStage.server()) { server in
            let (client, tls, isOpen) = try await server.client(row.offer)
            #expect(isOpen == !row.cipher.isEmpty, "\(tls.error)")
            guard isOpen else {
                await server.waits { $0.book.count("handshake \(row.failure)") == 1 }
                #expect(server.book.count("handshake \(row.failure)") == 1)
                #expect(tls.error.contains("alert"), "the client is told: \(tls.error)")
                return
            }
            #expect(tls.cipher == row.cipher)
            #expect(tls.version == row.version)
            #expect(await client.ask(TLSStage.question)?.text == "hello")
        }
    }

    // MARK: - Protocols (RFC 7301)

    static let protocols: [(offered: [String], isOpen: Bool, chosen: String)] = [
        ([], true, ""), (["http/1.1"], true, "http/1.1"), (["h2", "http/1.1"], true, "http/1.1"),
        (["h2"], false, ""), (["http/1.0"], false, ""), (["http/1.1x", "h"], false, ""),
    ]

    @Test(arguments: Self.protocols)
    func `only one version of HTTP is spoken`(_ offered: [String], _ isOpen: Bool, _ chosen: String)
        async throws
    {
        try await withServer(tls: try TLSStage.server()) { server in
            for versions in [ClientTLS.Offer.tls12.versions, ClientTLS.Offer.tls13.versions] {
                var offer = ClientTLS.Offer(versions: versions)
                offer.protocols = offered
                let (client, tls, opened) = try await server.client(offer)
                #expect(opened == isOpen)
                if opened {
                    #expect(tls.applicationProtocol == chosen)
                    #expect(await client.ask(TLSStage.question)?.text == "hello")
                } else {
                    #expect(tls.error == "tlsv1 alert no application protocol")
                }
            }
            let failures = server.book.count("handshake application_protocol")
            #expect(failures == (isOpen ? 0 : 2))
        }
    }

    // MARK: - Names (RFC 6066 §3, RFC 9525)

    enum Wanted: Sendable { case first, rsa, wild, exact }

    static let names: [(host: String?, wanted: Wanted)] = [
        (nil, .first), ("first.example", .first), ("FIRST.example", .first), ("unknown.example", .first),
        ("rsa.example", .rsa), ("a.wild.example", .wild), ("A.WILD.EXAMPLE", .wild), ("exact.wild.example", .exact),
        ("a.b.wild.example", .first), ("wild.example", .first), (".wild.example", .first),
        ("\u{e9}.wild.example", .first),
    ]

    @Test(arguments: Self.names)
    func `the certificate is that of the requested name`(_ host: String?, _ wanted: Wanted) async throws {
        let all = try [TLSStage.first, TLSStage.rsa, TLSStage.wild, TLSStage.exact].map { try $0.get() }
        let expected =
            switch wanted {
            case .first: all[0]
            case .rsa: all[1]
            case .wild: all[2]
            case .exact: all[3]
            }
        try await withServer(tls: try ServerTLS(try TLSStage.settings(all[0], all[1], all[2], all[3]))) { server in
            for versions in [ClientTLS.Offer.tls12.versions, ClientTLS.Offer.tls13.versions] {
                let (_, tls, isOpen) = try await server.client(ClientTLS.Offer(versions: versions, host: host))
                #expect(isOpen)
                #expect(try tls.sees(expected))
            }
        }
    }

    /// One name with keys of two kinds: the client chooses.
    @Test func `a name may have two kinds of key`() async throws {
        let (first, rsa) = (try TLSStage.first.get(), try TLSStage.rsa.get())
        try await withServer(tls: try ServerTLS(try TLSStage.settings(first, rsa))) { server in
            for (cipher, expected) in [("ECDHE-ECDSA-AES128-GCM-SHA256", first), ("ECDHE-RSA-AES128-GCM-SHA256", rsa)] {
                var offer = ClientTLS.Offer.tls12
                offer.host = "first.example"
                offer.ciphers = cipher
                let (_, tls, isOpen) = try await server.client(offer)
                #expect(isOpen)
                #expect(try tls.sees(expected))
            }
        }
    }

    // MARK: - Pieces and garbage

    @Test(arguments: [ClientTLS.Offer.tls12, .tls13], [1, 7, 100])
    func `a handshake comes in any pieces`(_ offer: ClientTLS.Offer, _ piece: Int) async throws {
        for polling in Polling.allCases {
            try await withServer(polling, tls: try TLSStage.server()) { server in
                let (client, _, isOpen) = try await server.client(offer, piece: piece)
                #expect(isOpen)
                await client.sendTLS { $0.seal(Array(TLSStage.question.utf8)) }
                #expect(await client.reply()?.text == "hello")
                let question = Array(TLSStage.question.utf8)
                await client.sendTLS { tls in question.flatMap { tls.seal([$0]) } }
                #expect(await client.reply()?.text == "hello")
            }
        }
    }

    static let garbage: [(name: String, bytes: [UInt8], failure: String)] = [
        ("zeros", [UInt8](repeating: 0, count: 100), "version"),
        ("digits", Array("0123456789".utf8), "version"),
        ("ones", [UInt8](repeating: 0xFF, count: 4096), ""),
        ("a record that is too long", [0x16, 3, 1, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 100), "other"),
        ("an empty ClientHello", [0x16, 3, 1, 0, 4, 1, 0, 0, 0], "other"),
        ("a ClientHello of nonsense", [0x16, 3, 1, 0, 68, 1, 0, 0, 64] + [UInt8](repeating: 0x41, count: 64), ""),
        ("an alert", [0x15, 3, 3, 0, 2, 2, 40], ""),
        ("data before the handshake", [0x17, 3, 3, 0, 4, 1, 2, 3, 4], "other"),
        ("a cipher change", [0x14, 3, 3, 0, 1, 1, 0x14, 3, 3, 0, 1, 1], ""),
        ("SSL 2", [0x80, 0x2E, 1, 0, 2, 0, 0x15, 0, 0, 0, 0x10] + [UInt8](repeating: 1, count: 37), ""),
    ]

    @Test(arguments: Self.garbage)
    func `garbage is refused, and others are served`(_ name: String, _ bytes: [UInt8], _ failure: String)
        async throws
    {
        try await withServer(tls: try TLSStage.server(), clock: StoppedClock()) { server in
            for piece in [Int.max, 1] {
                let client = try server.client()
                await client.sendRaw(bytes, piece: piece)
                client.finishWriting()
                _ = await client.rest()
            }
            await server.waits { $0.book.closed == 2 }
            if !failure.isEmpty { #expect(server.book.count("handshake \(failure)") == 2) }
            let (client, _, _) = try await server.client(.tls13)
            #expect(await client.ask(TLSStage.question)?.text == "hello", "others are served")
        }
    }

    /// Changes one byte of a whole handshake, at each place. It must end without harm.
    @Test func `a wrong byte in a handshake does no harm`() async throws {
        let hello = try { () throws -> [UInt8] in
            let tls = try ClientTLS(ClientTLS.Offer(host: "localhost", protocols: ["http/1.1"]))
            _ = tls.handshake()
            return tls.takeOutgoing()
        }()
        try await withServer(tls: try TLSStage.server(), clock: StoppedClock()) { server in
            let places = TestTier.few(Array(hello.indices), oneOf: 7)
            for place in places {
                var bytes = hello
                bytes[place] ^= 0x55
                let client = try server.client()
                await client.sendRaw(bytes)
                client.finishWriting()
                _ = await client.rest()
            }
            await server.waits { $0.book.closed == places.count }
            #expect(server.book.closed == places.count)
        }
    }
}
