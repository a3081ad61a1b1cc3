import Base
import Testing

@testable import Logins

/// The creation time of a login selects its configuration snapshot.
@Suite struct LoginConfigurationHistoryTests {
    private static func rules(_ host: String) throws -> LoginConfiguration {
        var settings = LoginSettings(publicURL: host)
        settings.lifetime = .seconds(600)
        settings.resultTTL = .seconds(300)
        return LoginConfiguration(settings, keys: try #require(ServerKeys([.make()])), providers: [], brokers: [])
    }

    /// Returns a history of three snapshots: from the beginning, from second 100 and from second 200.
    private static func book() throws -> (LoginConfigurationHistory, [LoginConfiguration]) {
        let rules = try ["first", "second", "third"].map { try Self.rules($0) }
        let book = LoginConfigurationHistory(rules[0])
        book.replace(with: rules[1], at: { Example.after(100) })
        book.replace(with: rules[2], at: { Example.after(200) })
        return (book, rules)
    }

    @Test(
        arguments: [
            (-1000, "first"), (0, "first"), (100, "first"), (100.001, "second"), (200, "second"), (200.001, "third"),
            (9000, "third"),
        ])
    func `a login has the configuration of its beginning`(_ seconds: Double, _ name: String) throws {
        let (book, _) = try Self.book()
        let beginning = Example.start + .milliseconds(Int(seconds * 1000))
        #expect(book.configuration(at: beginning).settings.publicURL == name)
        #expect(book.begin { beginning }.configuration.settings.publicURL == name)
    }

    @Test(arguments: [
        (1600, []), (1601, ["first"]), (1700, ["first"]), (1701, ["first", "second"]),
        (99_999, ["first", "second"]),
    ])
    func `a configuration is forgotten when its longest login is over`(_ seconds: Int, _ names: [String]) throws {
        let (book, _) = try Self.book()
        #expect(book.retire(at: Example.after(seconds)).map(\.settings.publicURL) == names)
        #expect(book.retire(at: Example.after(seconds)).isEmpty)
        #expect(
            book.configuration(at: Example.after(99_999)).settings.publicURL == "third", "the last is never forgotten")
    }

    /// The server keeps what else it made of a configuration in a history of its own.
    @Test(arguments: [0, 1600, 1601, 1700, 1701, 99_999])
    func `a history with the same times forgets the same`(_ seconds: Int) throws {
        struct Shadow: LastingConfiguration {
            let name: String
            let longestLogin: Duration
        }
        let (book, rules) = try Self.book()
        let shadows = rules.map { Shadow(name: $0.settings.publicURL, longestLogin: $0.longestLogin) }
        let other = ConfigurationHistory(shadows[0]) { $0.map(\.name).joined(separator: " ") }
        other.replace(with: shadows[1], at: { Example.after(100) })
        #expect(other.replace(with: shadows[2], at: { Example.after(200) }) == Example.after(200))
        #expect(other.summary == "first second third")
        let names = book.retire(at: Example.after(seconds)).map(\.settings.publicURL)
        #expect(other.retire(at: Example.after(seconds)).map(\.name) == names)
        #expect(other.all.map(\.name) == book.all.map(\.settings.publicURL))
        #expect(other.summary == other.all.map(\.name).joined(separator: " "))
        #expect(other.current.name == "third")
    }

    @Test func `the keys of all configurations open rows, and the newest key seals`() throws {
        let (book, rules) = try Self.book()
        #expect(book.keys.first.id == rules[2].keys.first.id)
        #expect(book.keys.all.map(\.id) == rules.reversed().map(\.keys.first.id))
        _ = book.retire(at: Example.after(1601))
        #expect(book.keys.all.map(\.id) == rules.dropFirst().reversed().map(\.keys.first.id))
    }
}
