import Base
import EndToEndSupport
import EventLoop
import Foundation
import HTTPServer
import KeyFiles
import Sandbox
import TestSupport

/// The sandbox provider of a soak, and the configuration of a server that uses it.
final class SoakProvider: Sendable {
    let sandbox: SandboxProvider
    /// Where it listens. This is not its issuer's port when something stands in front of it.
    let port: UInt16
    private let loops: [EventLoop]

    /// `issuer` is the address of what stands in front of the provider, if anything does.
    init(issuer: String? = nil) throws {
        self.loops = try EventLoop.makeLoops(count: 1)
        self.sandbox = try SandboxProvider(issuer: issuer, now: WallClock.now)
        guard let any = ListenAddress("127.0.0.1:0") else { throw TestClient.Failure(description: "listen") }
        self.port = try self.sandbox.start(listen: any, loops: self.loops)
    }

    /// Returns the configuration of the servers at `url`, and registers them as a client of this provider. `settings`
    /// are more of its lines, including a store; `broker` adds settings to the broker. With `sessions`, the app `linked`
    /// has them.
    func configuration(
        url: String, in folder: String, settings: String, broker: String = "", sessions: Bool = false
    ) throws -> String {
        try self.sandbox.register(
            SandboxClient(
                clientID: "us", secret: Secret("secret"), redirectURIs: ["\(url)/callback/main"],
                authentication: .secretBasic, idTokenAlgorithm: .es256))
        try SystemFile.create("\(folder)/server.key", try KeyGenerator.file(.server))
        let own = sessions ? ", session: unlock, session_audience: \"https://api.example\"" : ""
        return """
            public_url: \(url)
            \(settings)
            server_keys: [\(folder)/server.key]
            drain_delay: 0
            log: {level: info, format: json}
            apps:
              demo: {name: Demo, release: immediate}
              linked: {name: Linked, release: return_link, return_prefixes: ["\(SoakStage.returnPrefix)"]\(own)}
            brokers:
              main:
                {kind: oidc, issuer: "\(self.sandbox.issuer)", client_id: us, client_secret: secret,
                 response_mode: form_post, id_token_algorithms: [ES256], allow_insecure_loopback: true\(broker)}
            providers:
              demo: {broker: main, names: {en: Sandbox}, prompt: login\(sessions ? ", session: unlock" : "")}
            \(sessions ? try Self.sessionSettings(in: folder) : "")
            """
    }

    /// Writes the keys of sessions, and returns the settings of all sessions.
    private static func sessionSettings(in folder: String) throws -> String {
        try SystemFile.create("\(folder)/access.key", try KeyGenerator.file(.es256))
        try SystemFile.create("\(folder)/session.key", try KeyGenerator.file(.session))
        return """
            keys: {access: [{file: \(folder)/access.key}], session: [{file: \(folder)/session.key}]}
            sessions: {idle: \(SoakPhoneBook.idle)}
            """
    }

    func stop() async {
        await self.sandbox.close()
        for loop in self.loops { loop.close() }
    }
}
