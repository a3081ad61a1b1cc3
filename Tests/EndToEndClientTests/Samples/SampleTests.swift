import Base
import Cryptography
import EndToEndSupport
import Foundation
import JOSE
import KeyFiles
import Sandbox
import StrictJSON
import TestSupport
import Testing

/// Runs each sample of `Examples/` unchanged against a running server: which assertions it accepts, and which it
/// rejects.
@Suite(.blocking, .enabled(if: TestTier.isWhole, "`make check` installs what the samples need"))
struct SampleTests {
    /// One line for a sample, and whether the sample must accept it.
    struct Row: Sendable {
        let name: String
        let line: SampleProgram.Line
        let isBelieved: Bool

        init(_ name: String, _ assertion: String, nonce: String = "n-1", isBelieved: Bool = false) {
            self.name = name
            self.line = SampleProgram.Line(assertion: assertion, nonce: nonce)
            self.isBelieved = isBelieved
        }
    }

    /// Signs as the server does, for assertions that the server would never make.
    struct Forger {
        let signer: JWTSigner
        let type: String
        let claims: JSON.Object

        /// Takes the content of a real assertion, and the key that signed it.
        init(_ assertion: String, pem: [UInt8]) throws {
            let token = try CompactJWS(parsing: assertion)
            let key = try PrivateKey(pem: Secret(pem))
            self.signer = try JWTSigner(key: key, algorithm: .es256, keyID: token.header.keyID)
            self.type = try #require(token.header.type)
            let payload = try #require(Base64URL.decode(String(assertion.split(separator: ".")[1])))
            self.claims = try #require(try JSON(parsing: payload).object)
        }

        private init(_ other: Forger, key: PrivateKey) throws {
            self.signer = try JWTSigner(key: key, algorithm: .es256, keyID: other.signer.keyID)
            (self.type, self.claims) = (other.type, other.claims)
        }

        /// The same `kid` with another key.
        var stranger: Forger { get throws { try Forger(self, key: try PrivateKey.generate(.p256)) } }

        func token(
            _ changes: [String: JSON] = [:], without member: String? = nil, type: String? = nil
        ) throws -> String {
            var claims = self.claims
            claims["jti"] = .string(UUID().uuidString)
            for (name, value) in changes { claims[name] = value }
            if let member { claims[member] = nil }
            return try self.signer.sign(claims, type: type ?? self.type)
        }

        /// An unsigned token (RFC 8725 §2.1).
        var unsigned: String {
            get throws {
                let header: JSON = [
                    "alg": "none", "typ": .string(self.type), "kid": .string(self.signer.keyID ?? ""),
                ]
                let parts = [header, .object(self.claims)].map { Base64URL.encode($0.encoded()) }
                return parts.joined(separator: ".") + "."
            }
        }
    }

    // MARK: - A server and a login with a proof

    private static let pem = Result { try KeyGenerator.file(.es256) }

    private static func server(app: String = "", files: [String: [UInt8]] = [:]) async throws -> RunningServer {
        var files = files
        files["assertion.pem"] = try Self.pem.get()
        return try await RunningServer.start(
            [.query], release: "return_link",
            app: "return_prefixes: [\"\(RunningServer.returnPrefix)\"], assertion_claims: [name]\(app)", files: files)
    }

    /// Returns the app after its login has completed, with the page's link as proof.
    private static func login(_ server: RunningServer) async throws -> PhoneApp {
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name, ["nonce": "n-1"])
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, .query)
        while browser.code == nil { try await browser.reload() }
        _ = try await app.reportReturn(["url": .string(try #require(browser.button))])
        return app
    }

    private static func assertion(_ app: PhoneApp) async throws -> String {
        try #require(try await app.poll().json?["assertion"]?.string)
    }

    private static func check(_ rows: [Row], _ answers: [JSON], _ server: RunningServer) {
        #expect(rows.count == answers.count)
        let issuer = server.sandbox.issuer
        let account = Digest.sha256.hash(Array(issuer.utf8) + [0] + Array("sandbox-dk-freja".utf8))
        for (row, answer) in zip(rows, answers) {
            #expect((answer["refused"] == nil) == row.isBelieved, "\(row.name): \(answer)")
            guard row.isBelieved else { continue }
            #expect(answer["account"]?.string == Base64URL.encode(account), "\(row.name)")
            #expect(answer["name"]?.string == "Freja Lindegaard", "\(row.name)")
        }
    }

    // MARK: - Signed

    private static func signed(_ server: RunningServer) async throws -> [Row] {
        let app = try await Self.login(server)
        let good = try await Self.assertion(app)
        let forger = try Forger(good, pem: try Self.pem.get())
        let now = try #require(forger.claims["iat"]?.integer)
        let parts = good.split(separator: ".")
        return [
            Row("good", good, isBelieved: true),
            Row("the same again", good),
            Row("signed again, the same login", try await Self.assertion(app)),
            Row("our own, to show that the forger is correct", try forger.token(), isBelieved: true),
            Row("another audience", try forger.token(["aud": "kiosk"])),
            Row("another issuer", try forger.token(["iss": "https://login.example"])),
            Row("another nonce", try forger.token(), nonce: "n-2"),
            Row("without a nonce", try forger.token(without: "nonce")),
            Row("an empty nonce", try forger.token(without: "nonce"), nonce: ""),
            Row("another key", try forger.stranger.token()),
            Row("another signature", "\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))"),
            Row("expired", try forger.token(["iat": .integer(now - 600), "exp": .integer(now - 300)])),
            Row("without an expiry", try forger.token(without: "exp")),
            Row("alg none", try forger.unsigned),
            Row("another type", try forger.token(type: "JWT")),
            Row("an access token", try forger.token(type: "at+jwt")),
            Row("no proof", try forger.token(["proof": "none"])),
            Row("without proof", try forger.token(without: "proof")),
            Row("another provider", try forger.token(["provider": "kiosk"])),
            Row("without a login", try forger.token(without: "jti")),
            Row("nobody", try forger.token(without: "sub")),
            Row("no token", "x"), Row("empty", ""),
        ]
    }

    @Test(arguments: SampleProgram.allCases)
    func `only signed assertions are believed`(_ program: SampleProgram) async throws {
        let server = try await Self.server()
        let rows = try await Self.signed(server)
        Self.check(rows, try await program.answers(to: rows.map(\.line), of: server), server)
        await server.stop()
    }

    /// For apps whose JWT library accepts only `typ: JWT`.
    @Test(arguments: SampleProgram.allCases)
    func `assertions of the type JWT are believed`(_ program: SampleProgram) async throws {
        let server = try await Self.server(app: ", assertion_typ: JWT, audience: shop")
        let rows = [
            Row("good", try await Self.assertion(try await Self.login(server)), isBelieved: true)
        ]
        let answers = try await program.answers(to: rows.map(\.line), of: server, audience: "shop", type: "JWT")
        Self.check(rows, answers, server)
        await server.stop()
    }

    // MARK: - Encrypted

    struct Encryption: Sendable, CustomTestStringConvertible {
        let program: SampleProgram
        let kind: PrivateKey.Kind
        let algorithm: KeyManagementAlgorithm
        var testDescription: String { "\(self.program) \(self.algorithm.rawValue)" }
    }

    static let encryptions = SampleProgram.allCases.flatMap { program in
        [
            Encryption(program: program, kind: .p256, algorithm: .ecdhESA256KW),
            Encryption(program: program, kind: .rsa(bits: 2048), algorithm: .rsaOAEP256),
        ]
    }

    @Test(arguments: encryptions) func `encrypted assertions are believed`(_ row: Encryption) async throws {
        let key = try PrivateKey.generate(row.kind)
        let jwk = key.publicKey.jwk(keyID: "api", use: "enc")
        let server = try await Self.server(
            app: ", assertion_key: api.jwk", files: ["api.jwk": jwk.json.encoded()])
        let app = try await Self.login(server)
        let good = try await Self.assertion(app)
        let opened = try Decrypter(
            keys: [DecryptionKey(key, keyID: "api")], algorithms: [row.algorithm], encryptions: [.a256GCM]
        ).decrypt(good).plaintext.exposedText
        let forger = try Forger(opened, pem: try Self.pem.get())
        let encrypter = Encrypter(to: jwk, row.algorithm, .a256GCM)
        func nested(_ inside: String, type: String? = "JWT") throws -> String {
            try encrypter.encrypt(Array(inside.utf8), contentType: type)
        }
        let claims = String(decoding: JSON.object(forger.claims).encoded(), as: UTF8.self)
        let other = try PrivateKey.generate(row.kind).publicKey.jwk(keyID: "api", use: "enc")
        let rows = [
            Row("good", good, isBelieved: true), Row("the same again", good),
            Row("our own, to show that the forger is correct", try nested(forger.token()), isBelieved: true),
            // Anyone can encrypt to a public key.
            Row("by another signer", try nested(forger.stranger.token())),
            Row("unsigned inside", try nested(forger.unsigned)),
            Row("bare claims", try nested(claims, type: nil)), Row("bare claims, called a JWT", try nested(claims)),
            Row("not said to be nested", try nested(forger.token(), type: nil)),
            Row("only signed", try forger.token()),
            Row(
                "for another key",
                try Encrypter(to: other, row.algorithm, .a256GCM).encrypt(Array(opened.utf8), contentType: "JWT")),
            Row("no proof inside", try nested(forger.token(["proof": "none"]))),
            Row("another audience inside", try nested(forger.token(["aud": "kiosk"]))),
        ]
        let pem = key.pem.exposed
        Self.check(rows, try await row.program.answers(to: rows.map(\.line), of: server, key: pem), server)
        await server.stop()
    }

    // MARK: - Java

    /// The Java sample is compiled against stand-ins with the signatures from Nimbus' documentation, because Debian has
    /// no package of the library. It is not run, and its first lines say so.
    @Test func `the Java sample compiles`() async throws {
        let sample = "\(SampleProgram.examples)/java/Assertions.java"
        #expect(try String(contentsOfFile: sample, encoding: .utf8).prefix(400).contains("NOT RUN"))
        let standIns = SourceFile.path("Tests/Samples/nimbus")
        let folder = "\(NSTemporaryDirectory())/switchback-java-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = "javac -Xlint:all -Werror -d '\(folder)' -sourcepath '\(standIns)' '\(sample)' && echo compiled"
        let compiler = try ForeignProcess("/bin/sh", ["-c", script], errors: "\(folder)/errors")
        #expect(try await compiler.line() == "compiled")
        try await compiler.end()
    }
}
