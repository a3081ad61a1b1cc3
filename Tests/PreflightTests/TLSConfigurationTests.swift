import Base
import ConfigurationSamples
import Preflight
import ServerConfiguration
import Testing

/// The TLS settings: what can be wrong, and what `check` says about certificates that are right.
@Suite struct TLSConfigurationTests {
    private static func source(_ tls: String, url: String = "https://login.example.com") -> ConfigurationSource {
        SampleConfiguration.source("store: memory", "store: memory\ntls: {\(tls)}")
            .adding("https://login.example.com", url)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let tls: String
        let problems: [String]

        init(_ tls: String, _ problems: String...) {
            self.tls = tls
            self.problems = problems
        }

        var testDescription: String { self.tls }
    }

    static let rows = [
        Row(""), Row("certificate: null, more: [{certificate: null, key: null}]"),
        Row("certificate: tls.pem, key: tls.key"),
        Row("certificate: tls.pem, key: tls.key, more: [{certificate: next.crt, key: next.key}]"),
        Row("certificate: tls.pem, key: tls.key, client_certificates: required, client_ca: old.crt"),
        Row("certificate: tls.pem, key: tls.key, client_certificates: optional, client_ca: old.crt"),
        Row("certificate: tls.pem", "tls.key: is required for tls.certificate"),
        Row("key: tls.key", "tls.certificate: is required for tls.key"),
        Row(
            "more: [{certificate: tls.pem}]",
            "tls.more[0].key: is required for certificate",
            "tls.more: needs tls.certificate, which clients get that ask for none of these names"),
        Row("certificate: missing.pem, key: tls.key", "tls.certificate: missing.pem: No such file or directory"),
        Row("certificate: tls.pem, key: missing.key", "tls.key: missing.key: No such file or directory"),
        Row("certificate: secret, key: tls.key", "tls.certificate: secret: contains no certificate in PEM"),
        Row("certificate: ca.pem, key: tls.key", "tls.certificate: ca.pem: contains no certificate in PEM"),
        Row(
            "certificate: tls.pem, key: secret",
            "tls.key: secret: does not contain one private key in PEM without a password"),
        Row(
            "certificate: tls.pem, key: old.key",
            "tls.key: old.key: is not the key of the first certificate in tls.pem; the server's own certificate must come first"
        ),
        Row(
            "certificate: tls.pem, key: tls.key, more: [{certificate: next.crt, key: secret}]",
            "tls.more[0].key: secret: does not contain one private key in PEM without a password"),
        Row(
            "certificate: tls.pem, key: tls.key, client_certificates: required",
            "tls.client_ca: is required for tls.client_certificates"),
        Row(
            "certificate: tls.pem, key: tls.key, client_ca: old.crt",
            "tls.client_ca: has no effect while tls.client_certificates is off"),
        Row(
            "certificate: tls.pem, key: tls.key, client_certificates: optional, client_ca: secret",
            "tls.client_ca: secret: contains no certificate in PEM"),
        Row("client_certificates: required, client_ca: old.crt", "tls.client_certificates: needs tls.certificate"),
        Row(
            "certificate: tls.pem, key: tls.key, client_certificates: \"yes\"",
            "tls.client_certificates: must be one of off, optional, required, not \"yes\""),
    ]

    @Test(arguments: Self.rows) func `each problem of the TLS settings is reported`(_ row: Row) {
        let found = SampleConfiguration.problems(Self.source(row.tls)).map {
            $0.replacing(#/^s\.yaml:?\d*: /#, with: "")
        }
        #expect(found == row.problems)
    }

    /// `serve` uses what `check` has read. The private key appears nowhere in the output.
    @Test func `certificates are read with the configuration and no key is printed`() throws {
        let source = Self.source("certificate: tls.pem, key: tls.key, more: [{certificate: next.crt, key: next.key}]")
        let (configuration, settings, _) = try Configuration.load(source)
        #expect(configuration.tls?.certificates.map(\.file) == ["tls.pem", "next.crt"])
        #expect(configuration.tls?.settings.identities.count == 2)
        #expect(!settings.yaml.contains("PRIVATE"))
        #expect(try Configuration(Self.source("")).tls == nil)
    }

    static let reports: [(tls: String, url: String, says: [String], silent: [String])] = [
        ("", "https://login.example.com", [], ["TLS", "warning"]),
        (
            "certificate: tls.pem, key: tls.key", "https://login.example.com", ["certificate: tls.pem, until 20"],
            ["warning"]
        ),
        (
            "certificate: tls.pem, key: tls.key", "https://other.example",
            ["warning: public_url: no certificate covers other.example"], ["expired"]
        ),
        (
            "certificate: tls.pem, key: tls.key", "http://127.0.0.1:8080",
            ["warning: public_url: begins with http, but with tls.certificate listen speaks only https"], []
        ),
        (
            "certificate: old.crt, key: old.key", "https://login.example.com",
            ["error: tls.certificate: old.crt expired on 20", "renew it"], ["no certificate"]
        ),
        (
            "certificate: tls.pem, key: tls.key, more: [{certificate: next.crt, key: next.key}]",
            "https://next.example",
            ["warning: tls.more[0].certificate: next.crt is valid from 20", "is the clock right?"],
            ["no certificate"]
        ),
    ]

    @Test(arguments: Self.reports) func `check reports on each certificate`(
        _ tls: String, _ url: String, _ says: [String], _ silent: [String]
    ) throws {
        let text = Self.report(try Configuration(Self.source(tls, url: url)), at: WallClock.now())
        for piece in says { #expect(text.contains(piece), "\(text)") }
        for piece in silent { #expect(!text.contains(piece), "\(text)") }
    }

    private static func report(_ configuration: Configuration, at now: Timestamp) -> String {
        let found = CertificateInUse.diagnostics(configuration, at: now)
        return TLSReport.text(configuration)
            + (found + TLSReport.warnings(configuration)).map { "\($0.level.rawValue): \($0)\n" }.joined()
    }

    @Test func `check warns two weeks before the end`() throws {
        let configuration = try Configuration(Self.source("certificate: tls.pem, key: tls.key"))
        let now = WallClock.now().seconds
        let soon = Self.report(configuration, at: Timestamp(seconds: now + 10 * 86_400 + 3600))
        #expect(soon.contains("in 9 days: renew it soon"), "\(soon)")
    }

    /// At the second after its end it is an error, and the days left go below zero.
    @Test func `the end of a certificate is exact`() throws {
        let configuration = try Configuration(Self.source("certificate: tls.pem, key: tls.key"))
        let certificate = try #require(CertificateInUse.all(in: configuration).first)
        let end = certificate.notAfter
        #expect(certificate.diagnostic(at: Timestamp(seconds: end))?.level == .warning)
        #expect(certificate.diagnostic(at: Timestamp(seconds: end + 1))?.level == .error)
        #expect(certificate.daysLeft(at: Timestamp(seconds: end - 86_400)) == 1)
        #expect(certificate.daysLeft(at: Timestamp(seconds: end + 43_200)) == -0.5)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: String
        let after: String
        /// The end of the certificate that is used then is that of this file before.
        let kept: [Int: Int]

        init(_ name: String, _ before: String, _ after: String, kept: [Int: Int] = [:]) {
            (self.testDescription, self.before, self.after, self.kept) = (name, before, after, kept)
        }
    }

    private static let valid = "certificate: tls.pem, key: tls.key"
    private static let expired = "certificate: old.crt, key: old.key"

    /// A reload keeps the valid certificate instead of one that has ended.
    @Test(arguments: [
        Change("valid to valid", valid, valid), Change("valid to ended", valid, expired, kept: [0: 0]),
        Change("ended to ended", expired, expired), Change("ended to valid", expired, valid),
        Change(
            "the second one", "\(valid), more: [{\(valid)}]", "\(valid), more: [{\(expired)}]", kept: [1: 1]),
        Change("none before", "", expired),
    ]) func `a reload keeps the valid one`(_ change: Change) throws {
        let before = try Configuration(Self.source(change.before))
        var after = try Configuration(Self.source(change.after))
        let read = (after.tls?.certificates ?? []).map(\.identity)
        let unused = after.keepCertificates(of: before, at: WallClock.now().seconds)
        #expect(unused.count == change.kept.count)
        for (index, named) in (after.tls?.certificates ?? []).enumerated() {
            let expected = change.kept[index].flatMap { before.tls?.certificates[$0].identity } ?? read[index]
            #expect(named.identity === expected)
        }
    }
}
