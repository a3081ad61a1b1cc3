import HTTPServer
import TestSupport
import Testing

/// Which files make an identity, and which names it covers.
@Suite struct TLSIdentityTests {
    enum File: Sendable { case first, exact, empty, text, both, chain, twoKeys, damaged }

    private static func certificate(_ file: File) throws -> [UInt8] {
        let (first, exact) = (try TLSStage.first.get(), try TLSStage.exact.get())
        return switch file {
        case .first: first.certificate
        case .exact: exact.certificate
        case .empty: []
        case .text: Array("hello\n".utf8)
        case .both: first.key + first.certificate
        case .chain, .twoKeys: first.certificate + exact.certificate
        case .damaged: first.certificate + Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
        }
    }

    private static func key(_ file: File) throws -> [UInt8] {
        let (first, exact) = (try TLSStage.first.get(), try TLSStage.exact.get())
        return switch file {
        case .first, .chain: first.key
        case .exact: exact.key
        case .empty: []
        case .text: Array("hello\n".utf8)
        case .both: first.certificate + first.key
        case .twoKeys: first.key + exact.key
        case .damaged: Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8)
        }
    }

    static let rows: [(certificate: File, key: File, failure: TLSIdentityError?)] = [
        (.first, .first, nil), (.both, .both, nil), (.chain, .first, nil),
        (.empty, .first, .noCertificate), (.text, .first, .noCertificate), (.damaged, .first, .noCertificate),
        (.first, .empty, .noKey), (.first, .text, .noKey), (.first, .twoKeys, .noKey), (.first, .damaged, .noKey),
        (.first, .exact, .mismatch), (.chain, .exact, .mismatch),
    ]

    @Test(arguments: Self.rows)
    func `an identity is made of its files`(_ certificate: File, _ key: File, _ failure: TLSIdentityError?)
        throws
    {
        var found: TLSIdentityError?
        do throws(TLSIdentityError) {
            guard let files = try? (Self.certificate(certificate), Self.key(key)) else { return }
            _ = try TLSIdentity(certificate: files.0, key: files.1)
        } catch {
            found = error
        }
        #expect(found == failure)
    }

    @Test func `a small key is refused`() throws {
        let small = try MintedIdentity(["a.example"], kind: .rsa(bits: 1024))
        #expect(throws: TLSIdentityError.refused("ee key too small")) { try TLSStage.identity(small) }
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST", true), ("other.example", false), ("a.star.example", true),
        ("a.b.star.example", false), ("star.example", false), ("127.0.0.1", true), ("127.0.0.2", false),
        ("[::1]", true), ("[::2]", false), ("", false), (".star.example", false),
    ]) func `an identity is for its names`(_ host: String, _ isCovered: Bool) throws {
        let minted = try MintedIdentity(["localhost", "*.star.example", "127.0.0.1", "0:0:0:0:0:0:0:1"])
        #expect(try TLSStage.identity(minted).covers(host) == isCovered)
    }

    @Test func `an identity knows its time`() throws {
        let minted = try TLSStage.identity(try MintedIdentity(["a.example"], from: -100, until: 1000))
        #expect(minted.notAfter - minted.notBefore == 1100)
    }
}
