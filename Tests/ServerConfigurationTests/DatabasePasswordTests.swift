import Base
import ConfigurationSamples
import Stores
import Synchronization
import Testing

@testable import ServerConfiguration

/// Tests where the password of the database comes from, and that a file is read again each time.
@Suite struct DatabasePasswordTests {
    /// Files that change while they are read.
    private final class Files: Sendable {
        let contents: Mutex<[String: [UInt8]]>

        init(_ texts: [String: String]) { self.contents = Mutex(texts.mapValues { Array($0.utf8) }) }

        func write(_ text: String?, to path: String) {
            self.contents.withLock { $0[path] = text.map { Array($0.utf8) } }
        }

        var access: FileAccess {
            FileAccess(
                read: { path throws(FileError) in
                    guard let bytes = self.contents.withLock({ $0[path] }) else {
                        return try SampleConfiguration.files.read(path)
                    }
                    return bytes
                }, isFolder: { _ in true })
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var settings = "url: \"postgresql://us:in-url@db/x\""
        var variables: [String: String] = [:]
        /// The texts that are written to the file `rotated` one after the other, each with the password for `url` that
        /// is then read.
        var steps: [(text: String?, password: String?)] = []
        let password: String?
        let listening: String?
    }

    static let rows = [
        Row(testDescription: "in the URL", password: "in-url", listening: nil),
        Row(testDescription: "nowhere", settings: "url: host=db", password: nil, listening: nil),
        Row(
            testDescription: "the setting", settings: "url: \"postgresql://us:in-url@db/x\", password: own",
            password: "own", listening: nil),
        Row(
            testDescription: "each URL has its own",
            settings: "url: \"host=bouncer password=one\", listen_url: \"host=db password=two\"", password: "one",
            listening: "two"),
        Row(
            testDescription: "the setting is for both",
            settings: "url: \"host=bouncer password=one\", listen_url: host=db, password: own", password: "own",
            listening: "own"),
        Row(
            testDescription: "a file", variables: ["PASSWORD_FILE": "rotated"],
            steps: [("b\n", "b"), ("c", "c"), ("", nil), (nil, nil), ("d\n", "d")], password: "a", listening: nil),
        Row(
            testDescription: "a file with the URL", settings: "connections: 3", variables: ["URL_FILE": "rotated"],
            steps: [("postgresql://us:b@db/x\n", "b"), ("host=elsewhere password=c", "c"), ("nonsense", nil)],
            password: "a", listening: nil),
    ]

    @Test(arguments: rows) func `a password is read again each time`(_ row: Row) throws {
        let isURL = row.variables["URL_FILE"] != nil
        let files = Files(["rotated": isURL ? "postgresql://us:a@db/x\n" : "a\n"])
        var source = SampleConfiguration.source(
            "store: memory", "store: postgresql\npostgresql: {\(row.settings)}",
            environment: Dictionary(
                uniqueKeysWithValues: row.variables.map { ("SWITCHBACK_POSTGRESQL__\($0.key)", $0.value) }))
        source.files = files.access
        let settings = try #require(try Configuration(source).postgresql)
        func read(_ password: PostgresPassword?) throws -> String? { try password?.read()?.exposedText }
        #expect(try read(settings.password) == row.password)
        let listening = settings.listenURL == nil ? nil : settings.listenPassword ?? settings.password
        #expect(try read(listening) == row.listening)
        for step in row.steps {
            files.write(step.text, to: "rotated")
            #expect((try? read(settings.password)) ?? nil == step.password)
        }
    }

    /// The error names the file, and nothing in it.
    @Test func `a file that is gone is named`() throws {
        let files = Files(["rotated": "hunter3"])
        var source = SampleConfiguration.source(
            "store: memory", "store: postgresql\npostgresql: {url: host=db}",
            environment: ["SWITCHBACK_POSTGRESQL__PASSWORD_FILE": "rotated"])
        source.files = files.access
        let password = try #require(try Configuration(source).postgresql?.password)
        files.write(nil, to: "rotated")
        #expect(
            throws: OperatorError(
                "SWITCHBACK_POSTGRESQL__PASSWORD_FILE (rotated): No such file or directory")
        ) { try password.read() }
    }
}
