import Base
import TestSupport
import Testing

@testable import Stores

/// Several hosts, and servers that must prove their identity: connection strings have the meaning that libpq gives
/// them.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted && TestTier.isWhole, "takes a server of its own"))
struct PostgresAddressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// `PORT` and `CLOSED` are replaced by ports, `CA` by the authority's file.
        let url: String
        /// The expected error. Nil if the connection succeeds.
        var refusal: String?
    }

    @Test func `an address means what libpq says`() throws {
        let certificates = try TestCertificates([.good, .otherName, .unknownAuthority])
        let server = try PostgresServer()
        let closed = try FreePort.find()
        let verified = "postgresql://postgres@localhost:PORT/postgres?sslmode=verify-full&sslrootcert=CA"
        let table: [(TestCertificates.Name, [Row])] = [
            (
                .good,
                [
                    Row(testDescription: "proven", url: verified),
                    Row(testDescription: "keywords", url: "host=localhost port=PORT user=postgres dbname=postgres"),
                    Row(
                        testDescription: "the second host",
                        url: "postgresql://postgres@localhost:CLOSED,localhost:PORT/postgres"),
                    Row(
                        testDescription: "no host answers", url: "postgresql://postgres@localhost:CLOSED/postgres",
                        refusal: "Connection refused"),
                    Row(
                        testDescription: "only a standby is wanted",
                        url: "postgresql://postgres@localhost:PORT/postgres?target_session_attrs=standby",
                        refusal: "server is not in hot standby mode"),
                ]
            ),
            (.otherName, [Row(testDescription: "another name", url: verified, refusal: "does not match host name")]),
            (
                .unknownAuthority,
                [Row(testDescription: "another authority", url: verified, refusal: "certificate verify failed")]
            ),
        ]
        for (name, rows) in table {
            try server.useTLS(certificate: certificates.certificate(name), key: certificates.key(name))
            for row in rows {
                let url = row.url.replacing("PORT", with: "\(server.port)").replacing("CLOSED", with: "\(closed)")
                    .replacing("CA", with: certificates.authority)
                let address = try PostgresAddress(Secret(url)).with(password: Secret(PostgresServer.password))
                do throws(PostgresError) {
                    _ = try PostgresHandle.open(address)
                    #expect(row.refusal == nil, "\(row)")
                } catch {
                    #expect("\(error.cause)".contains(row.refusal ?? "nothing"), "\(row): \(error.cause)")
                    #expect(!"\(error.cause)".contains(PostgresServer.password))
                }
            }
        }
        server.stop()
        certificates.remove()
    }
}
