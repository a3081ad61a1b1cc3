import Base
import Cryptography
import EndToEndSupport
import Foundation
import SwitchbackClient
import Testing

/// A phone whose app keeps its user signed in: the library's login and its session, against a running server.
struct SignedInPhone {
    /// PBKDF2 with few iterations: what the server sees does not depend on them.
    private struct Quick: KeyDerivation {
        func derive(from password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
            SoftwareKeyDerivation().derive(from: password, salt: salt, iterations: iterations / 100_000)
        }
    }

    let stage: SessionStage
    var phone: ScriptedPhone
    let network = ScriptedNetwork()
    let keys = PhoneKeyStore()
    let clock = PhoneClock()
    private let file = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString).json")
    private(set) var client: SessionClient

    init(_ stage: SessionStage) throws {
        self.stage = stage
        self.phone = ScriptedPhone(stage.server.url)
        let server = try #require(URL(string: stage.server.url))
        self.client = Self.client(server, self.file, self.keys, self.network, self.clock)
    }

    private static func client(
        _ server: URL, _ file: URL, _ keys: PhoneKeyStore, _ network: ScriptedNetwork, _ clock: PhoneClock
    ) -> SessionClient {
        var dependencies = LoginClientDependencies { try await network.send($0) }
        dependencies.now = clock.now
        // The server's limits have a clock of their own, and a test sends more in a second than a user does.
        dependencies.sleep = { seconds in
            try await clock.sleep(seconds)
            try await Task.sleep(for: .seconds(min(seconds, 1)))
        }
        return SessionClient(
            server: server, app: "demo", storage: FileSessionStorage(file: file), keys: keys,
            dependencies: dependencies, derivation: Quick())
    }

    /// Kills the app and starts it again.
    mutating func kill() throws {
        self.client.stop()
        let server = try #require(URL(string: self.stage.server.url))
        self.client = Self.client(server, self.file, self.keys, self.network, self.clock)
    }

    /// Time passes, for the server and the phone.
    func wait(_ seconds: Int) async throws {
        self.stage.server.clock.advance(by: .seconds(seconds))
        try await self.clock.sleep(Double(seconds))
    }

    /// Logs in, up to the result.
    mutating func logIn(person: String = "freja") async throws -> LoginSession {
        let request = try await self.client.prepare(
            NewLogin(provider: self.stage.variant.name, platform: .ios, surface: .tab))
        // Each login has a browser of its own.
        self.phone.use(nil)
        self.phone.start(self.stage.variant.name) { $0 = request }
        try await self.phone.approve(person: person)
        let login = try await self.phone.logIn()
        try #require(login.status == .completed, "\(self.stage.server.log.text.suffix(800))")
        return try #require(self.phone.session)
    }

    mutating func signIn() async throws { try await self.client.begin(after: try await self.logIn()) }

    func stop() {
        self.client.stop()
        self.phone.stop()
        try? FileManager.default.removeItem(at: self.file)
    }
}
