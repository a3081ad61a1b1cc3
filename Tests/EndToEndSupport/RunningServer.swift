import Base
import EventLoop
import Foundation
import HTTPServer
import KeyFiles
import Logging
import Sandbox
import ServerConfiguration
import Switchback
import Telemetry
import TestSupport

/// A server and a sandbox provider, both on real sockets, with a broker for every variant.
package final class RunningServer: Sendable {
    package let url: String
    /// The URL for links to the app: another host, the same server.
    package let link: String
    package let operations: String
    package let port: UInt16
    package let configuration: Configuration
    package let clock: TestClock
    package let sandbox: SandboxProvider
    private let server: SwitchbackServer
    private let loops: [EventLoop]
    package let log = CapturedLog()

    /// Longer than HS256 needs, with characters that have several encodings.
    package static let secret = "s3cret/+ % of thirty-two bytes and more"

    /// The prefix of the app's links.
    package static let returnPrefix = "https://app.example/r/"

    /// Starts a server and a sandbox.
    ///
    /// `settings` are lines of YAML in front of the rest. `providers`, `brokers` and `app` are added to the settings of
    /// each provider, each broker and the app (`ISSUER` is the sandbox's). `link` is another link URL in front of the
    /// server, `files` are files that the settings name, `fileTimes` says when they were written, and `waiting` is the
    /// clock for the server's waits. A response that a fault delays comes after a fifth of `lateness`, and a late one
    /// after all of it. With `isOneClock` the sandbox uses the server's time, and with `hasSessions` there are keys for
    /// sessions.
    package static func start(
        _ variants: [BrokerVariant] = [.query, .formPost], settings: String = "", providers: String = "",
        brokers: String = "",
        algorithms: String? = nil, release: String = "immediate", system: SandboxSystem = .oidc,
        lateness: Duration = .seconds(3), drainDelay: Int = 0, app: String = "", link: String? = nil,
        files: [String: [UInt8]] = [:], fileTimes: [String: Timestamp] = [:], moreProviders: String = "",
        waiting: any Clock<Duration> = ContinuousClock(), isOneClock: Bool = false, hasSessions: Bool = false,
        store: String = "store: memory"
    ) async throws -> RunningServer {
        let more = (algorithms.map { ", id_token_algorithms: [\($0)]" } ?? "") + brokers
        return try RunningServer(
            variants, settings: settings, providers: providers, brokers: more, release: release,
            system: system, lateness: lateness, drainDelay: drainDelay, app: app, link: link, files: files,
            fileTimes: fileTimes, moreProviders: moreProviders, waiting: waiting, isOneClock: isOneClock,
            hasSessions: hasSessions, store: store)
    }

    private init(
        _ variants: [BrokerVariant], settings: String, providers: String, brokers: String, release: String,
        system: SandboxSystem, lateness: Duration, drainDelay: Int, app: String, link: String?,
        files more: [String: [UInt8]], fileTimes: [String: Timestamp], moreProviders: String,
        waiting: any Clock<Duration>, isOneClock: Bool, hasSessions: Bool, store: String
    ) throws {
        let clock = TestClock()
        self.clock = clock
        let loops = try EventLoop.makeLoops(count: 1)
        let sandbox = try SandboxProvider(
            system: system, lateness: lateness, pollInterval: .zero,
            now: isOneClock ? clock.now : WallClock.now)
        guard let any = ListenAddress("127.0.0.1:0") else { throw TestClient.Failure(description: "listen") }
        _ = try sandbox.start(listen: any, loops: loops)
        let keys = try ServerPEM.get()
        let (port, operationsPort) = (try FreePort.find(), try FreePort.find())
        let url = "http://127.0.0.1:\(port)"
        let yaml =
            """
            public_url: \(url)
            listen: 127.0.0.1:\(port)
            operations_listen: 127.0.0.1:\(operationsPort)
            \(store)
            server_keys: [server.key]
            drain_delay: \(drainDelay)
            link_url: \(link ?? "http://localhost:\(port)")
            keys:
              signing: [{file: es256.pem, algorithm: ES256}, {file: rsa.pem}]
              assertion: [{file: assertion.pem}]
              decryption: [{file: rsa-decryption.pem}, {file: ec-decryption.pem}]
            \(hasSessions ? "  access: [{file: access.pem}]\n  session: [{file: session.key}]" : "")
            \(more["audit.pem"] == nil ? "" : "  audit: [{file: audit.pem}]")
            apps:
              demo:
                {name: Demo, release: \(release), \(app.isEmpty ? "return_prefixes: [\"\(Self.returnPrefix)\"]" : app)}
            \(settings.isEmpty ? "limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}" : settings)
            brokers:
            \(variants.map { Self.broker($0, issuer: sandbox.issuer, brokers.replacing("ISSUER", with: sandbox.issuer)) }.joined(separator: "\n"))
            providers:
            \(variants.map { Self.provider($0, providers) }.joined(separator: "\n"))
            \(moreProviders)
            """
        var files = FileAccess(
            [
                "server.key": try KeyGenerator.file(.server), "es256.pem": keys.es256, "rsa.pem": keys.rsa,
                "assertion.pem": keys.assertion, "rsa-decryption.pem": keys.rsaDecryption,
                "ec-decryption.pem": keys.ecDecryption, "access.pem": keys.access,
                "session.key": try KeyGenerator.file(.session),
            ].merging(more) { _, given in given },
            isFolder: FileAccess.system.isFolder)
        files.modified = { fileTimes[$0] }
        let configuration = try Configuration(
            ConfigurationSource(name: "test", yaml: Array(yaml.utf8), flags: [], files: files))
        for variant in variants { try sandbox.register(try Self.client(variant, configuration)) }
        self.url = url
        self.link = link ?? "http://localhost:\(port)"
        self.configuration = configuration
        self.operations = "http://127.0.0.1:\(operationsPort)"
        self.sandbox = sandbox
        self.loops = loops
        let log = self.log
        let logger = Logger(label: "test") { _ in
            LineLogHandler(.json, level: .debug, now: WallClock.now, write: { log.append($0) })
        }
        self.server = try SwitchbackServer(
            configuration: configuration, logger: logger, now: self.clock.now, clock: waiting)
        DescribedAnswers.begin(port: port)
        self.port = port
        _ = try self.server.start()
    }

    package func stop() async {
        await self.stopServing()
        await self.sandbox.close()
        for loop in self.loops { loop.close() }
    }

    /// Stops the server only; the provider continues.
    package func stopServing() async {
        await self.server.stop()
        DescribedAnswers.end(port: self.port)
    }

    package static let publicFolder = SourceFile.path("Public")

    private static func broker(_ variant: BrokerVariant, issuer: String, _ more: String) -> String {
        if variant.kind == "digid" { return Self.digidBroker(variant, sandbox: issuer, more) }
        let secret = variant.usesSecret ? "client_secret: \"\(Self.secret)\", " : ""
        let isMAC = variant.signingAlgorithm.hasPrefix("HS")
        let signing = "\(isMAC ? "request_object_algorithm" : "signing_algorithm"): \(variant.signingAlgorithm), "
        return """
              \(variant.name): {kind: \(variant.kind), issuer: "\(issuer)", client_id: \(variant.name), \
            client_authentication: \(variant.authentication), \(secret)\(signing)\
            response_mode: \(variant.responseMode), request_style: \(variant.requestStyle), \
            callback: \(variant.callback), id_token_encrypted: \(variant.encryption != nil), \
            userinfo_format: \(variant.userinfo), allow_insecure_loopback: true\(more)}
            """
    }

    private static func provider(_ variant: BrokerVariant, _ more: String) -> String {
        if variant.kind == "digid" { return Self.digidProvider(variant, more) }
        // `release: immediate` is accepted only with a fresh login at the broker.
        let fresh = more.contains("prompt") || more.contains("max_age") ? "" : ", prompt: login"
        return "  \(variant.name): {broker: \(variant.name), names: {en: Sandbox}, "
            + "claims: [given_name, family_name]\(fresh)\(more)}"
    }
}

/// Keys for all servers of a test run, because generating an RSA key is slow.
package struct ServerPEM {
    package let es256: [UInt8]
    package let rsa: [UInt8]
    package let assertion: [UInt8]
    package let rsaDecryption: [UInt8]
    package let ecDecryption: [UInt8]
    package let access: [UInt8]

    private init(making: Void) throws {
        self.es256 = try KeyGenerator.file(.es256)
        self.rsa = try KeyGenerator.file(.rs256, rsaBits: 2048)
        self.assertion = try KeyGenerator.file(.es256)
        self.rsaDecryption = try KeyGenerator.file(.rs256, rsaBits: 2048)
        self.ecDecryption = try KeyGenerator.file(.es256)
        self.access = try KeyGenerator.file(.es256)
    }

    private static let made = Result { try ServerPEM(making: ()) }

    package static func get() throws -> ServerPEM { try Self.made.get() }
}
