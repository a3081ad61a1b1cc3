import Base
import TestSupport
import Testing

@testable import Stores

/// No password reaches an error, whatever is wrong with the connection string or the server.
@Suite(.blocking) struct PostgresSecretTests {
    static let secret = "hunter2-and-more"

    @Test(arguments: [
        "postgresql://us:\(Self.secret)@db.example.com:port/x", "host=db password=\(Self.secret) \(Self.secret)",
        "host=db passwrod=\(Self.secret)", "postgresql://us:\(Self.secret)", "\(Self.secret)",
        "postgresql://us:%zz\(Self.secret)@db/x", "host=db password='\(Self.secret)",
        "postgresql://db/x?password=\(Self.secret)&\(Self.secret)=1", "password=\(Self.secret)",
    ])
    func `a string that is none is not repeated`(_ text: String) {
        do throws(OperatorError) {
            let address = try PostgresAddress(Secret(text))
            #expect(!"\(address)".contains(Self.secret), "as an address of a service, say")
        } catch {
            #expect(!"\(error)".contains(Self.secret))
        }
    }

    /// Passwords of pieces with the characters that delimit a URL, and forms in which operators write them.
    static let delimiters = [
        "@", "/", "#", "?", ":", "%", "&", "=", ",", "'", "\\", " ", "%2", "@@", "/@", "?@", ":/", "://",
    ]
    static let forms: [@Sendable (String) -> String] = [
        { "postgresql://us:\($0)@127.0.0.1:1/x" }, { "postgres://us:\($0)@127.0.0.1:1,127.0.0.1:1/x?sslmode=disable" },
        { "postgresql://\($0)@127.0.0.1:1/x" }, { "postgresql://us@127.0.0.1:1/x?password=\($0)" },
        { "postgresql://us:\($0)@/x?host=127.0.0.1" }, { "postgresql://us:\($0)" },
        { "postgresql://us:\($0)@127.0.0.1:1" }, { "host=127.0.0.1 port=1 password=\($0) dbname=x" },
        { "host=127.0.0.1 port=1 password='\($0)' dbname=x" }, { "host=127.0.0.1 port=1 user=us:\($0)" },
        { "host=127.0.0.1 dbname=postgresql://us:\($0)@127.0.0.1/x" }, { "host=us:\($0)@127.0.0.1 dbname=x" },
        { "host=127.0.0.1 sslmode=\($0)" }, { "host=127.0.0.1 port=\($0)" },
        { "host=127.0.0.1 target_session_attrs=\($0)" }, { "POSTGRESQL://us:\($0)@127.0.0.1/x" },
    ]

    /// Whatever a password contains, no piece of it is in an address that is shown, in an error about it, or in libpq's
    /// own message about a server that does not answer.
    @Test(arguments: delimiters) func `no piece of a password is shown`(_ delimiter: String) {
        for pieces in [["k7qx", "m2pz"], ["", "k7qx", "m2pz"], ["k7qx", ""], ["k7qx", "12", "m2pz"]] {
            for form in Self.forms {
                let text = form(pieces.joined(separator: delimiter))
                var shown = ""
                do throws(OperatorError) {
                    let address = try PostgresAddress(Secret(text))
                    shown = "\(address)"
                    // What stands after the only `@` is the host.
                    if delimiter == "@", text.hasSuffix("@m2pz") { continue }
                    // A user name is no secret, so the form without a colon is not asked about.
                    if text.hasPrefix("postgresql://k") || text.hasPrefix("postgresql://\(delimiter)") { continue }
                    do throws(PostgresError) {
                        _ = try PostgresHandle.open(address)
                    } catch {
                        shown += " \(error.cause)"
                    }
                } catch {
                    shown += "\(error)"
                }
                for piece in ["k7qx", "m2pz"] { #expect(!shown.contains(piece), "\(text): \(shown)") }
            }
        }
    }

    /// Encoded as RFC 3986 says, every password is taken whole.
    @Test(arguments: delimiters) func `an encoded password is read whole`(_ delimiter: String) throws {
        let password = ["k7qx", "m2pz"].joined(separator: delimiter)
        let encoded = password.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let address = try PostgresAddress(Secret("postgresql://us:\(encoded)@127.0.0.1:1/x"))
        #expect(address.password?.exposedText == password)
        #expect(!"\(address)".contains("k7qx") && !"\(address)".contains("m2pz"))
    }

    /// What yesterday's configurations say is still taken.
    @Test(arguments: [
        "postgresql://us:a:b@db/x", "postgresql://us:in-url@db/x", "postgresql://db",
        "postgresql:///x?host=/run/postgresql",
        "postgresql://us@db.example:6432,db2.example/x?sslmode=verify-full&target_session_attrs=read-write",
        "host=db", "host=@abstract", "host=/run/postgresql port=5433", "hostaddr=10.0.0.1", "service=logins",
        "postgresql://us%40tenant:p@db/x", "host=db user=us@tenant password=p@ss/w?#rd", "postgresql://[::1]:5432/x",
    ]) func `a right string is accepted`(_ text: String) throws {
        _ = try PostgresAddress(Secret(text))
    }

    @Test func `an address is shown without its password`() throws {
        let address = try PostgresAddress(
            Secret(
                "postgresql://us:\(Self.secret)@a.example,b.example:6432/logins?sslmode=verify-full&sslpassword=\(Self.secret)"
            )
        ).with(password: Secret(Self.secret))
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", dumped, String(reflecting: address)] { #expect(!text.contains(Self.secret)) }
        #expect("\(address)".contains("a.example, b.example") && "\(address)".contains("dbname logins"))
        #expect(address.cleared("x \(Self.secret) y") == "x *** y")
    }

    /// Whether `check` accepts the server's identity as proven.
    @Test(arguments: [
        ("host=db sslmode=verify-full", true), ("host=db sslmode=verify-ca", false), ("host=db sslmode=require", false),
        ("host=db", false), ("host=127.0.0.1", true), ("host=localhost,db", false), ("host=/run/postgresql", true),
        ("postgresql://[::1]/x", true), ("hostaddr=10.0.0.1", false),
    ])
    func `a server is proven only when it is verified`(_ text: String, _ isVerified: Bool) throws {
        #expect(try PostgresAddress(Secret(text)).isVerified == isVerified)
    }

    @Test(.enabled(if: PostgresServer.isWanted)) func `a wrong password is said and not shown`() throws {
        let server = try PostgresServer.shared()
        let settings = PostgresSettings(url: Secret(server.url("postgres", password: Self.secret)))
        do {
            try PostgresMigration.prepare(settings.connector, settings.migrate)
            Issue.record("it was let in")
        } catch {
            #expect("\(error)".contains("password authentication failed for user \"postgres\""))
            #expect(!"\(error)".contains(Self.secret))
        }
        var right = settings
        right.password = PostgresPassword(Secret(PostgresServer.password))
        #expect(throws: StoreOpeningError(.noSchema)) {
            try PostgresMigration.prepare(right.connector, .off)
        }
    }
}
