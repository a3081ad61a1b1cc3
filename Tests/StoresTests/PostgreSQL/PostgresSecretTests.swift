/// No password reaches an error, whatever is wrong with the connection string or the server.
import Base
import TestSupport
import Testing

@testable import Stores

@Suite(.blocking) struct PostgresSecretTests {
    static let secret = "hunter2-and-more"

    @Test(arguments: [
        "postgresql://us:\(Self.secret)@db.example.com:port/x", "host=db password=\(Self.secret) \(Self.secret)",
        "host=db passwrod=\(Self.secret)", "postgresql://us:\(Self.secret)", "\(Self.secret)",
        "postgresql://us:%zz\(Self.secret)@db/x", "host=db password='\(Self.secret)",
        "postgresql://db/x?password=\(Self.secret)&\(Self.secret)=1", "password=\(Self.secret)",
    ])
    func aStringThatIsNoneIsNotRepeated(_ text: String) {
        do throws(PostgresAddressError) {
            let address = try PostgresAddress(Secret(text))
            #expect(!"\(address)".contains(Self.secret), "as an address of a service, say")
        } catch {
            #expect(!"\(error)".contains(Self.secret))
        }
    }

    @Test func anAddressIsShownWithoutIt() throws {
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
    func whoAnswersIsProven(_ text: String, _ isVerified: Bool) throws {
        #expect(try PostgresAddress(Secret(text)).isVerified == isVerified)
    }

    @Test(.enabled(if: PostgresServer.isWanted)) func aWrongPasswordIsSaidAndNotShown() throws {
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
        #expect(throws: PostgresOpeningError.noSchema) {
            try PostgresMigration.prepare(right.connector, .off)
        }
    }
}
