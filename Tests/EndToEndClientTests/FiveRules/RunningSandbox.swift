import EndToEndSupport
import Foundation
import StrictJSON
import TestSupport

@testable import SwitchbackCommand

/// `switchback sandbox`, as `make run` starts it: the program, with all its providers.
struct RunningSandbox: Sendable {
    /// What an app needs to know about a provider.
    struct Provider: Sendable {
        let id: String
        /// The first app that has it.
        let app: String
        let platforms: [String]
        /// Empty if the e-ID has only its app.
        let surfaces: [String]
        /// The systems of phones whose browsers it works in, if it depends on them.
        let webSystems: [String]
    }

    let url: String
    private let process: ChildProcess
    private let port: UInt16

    /// `origins` are those of web pages.
    static func start(origins: [String] = []) async throws -> RunningSandbox {
        let port = try FreePort.find(inARow: UInt16(SandboxPlan.lastOffset + 1))
        let process = try ChildProcess(
            path: DurableStage.binary,
            ["sandbox", "--listen", "127.0.0.1:\(port)"] + origins.flatMap { ["--origin", $0] },
            in: NSTemporaryDirectory())
        _ = try await DurableStage.ready(process, "http://127.0.0.1:\(port + 2)")
        DescribedAnswers.begin(port: port)
        return RunningSandbox(url: "http://127.0.0.1:\(port)", process: process, port: port)
    }

    func stop() {
        DescribedAnswers.end(port: self.port)
        self.process.send(SIGTERM)
        _ = self.process.end()
    }

    /// Plays the user of this login. Returns where the browser has ended.
    func approve(_ id: String) async throws -> JSON {
        let answer = try await TestClient.send("POST", "\(self.links)/sandbox/logins/\(id)/approve")
        guard answer.status == 200, let end = answer.json else {
            throw TestClient.Failure(description: "approve: \(answer.status) \(answer.text)")
        }
        return end
    }

    /// The origin of the links that open the apps.
    var links: String { "http://localhost:\(self.port + 3)" }

    /// Returns all providers. The app `kiosk` has those that no other app can have.
    func providers() async throws -> [Provider] {
        var found: [Provider] = []
        for app in ["demo", "kiosk"] {
            let answer = try await TestClient.send("GET", "\(self.url)/v1/providers?app=\(app)")
            for provider in answer.json?["providers"]?.array ?? [] {
                guard let id = provider["id"]?.string, !found.contains(where: { $0.id == id }) else { continue }
                found.append(
                    Provider(
                        id: id, app: app, platforms: Self.texts(provider["platforms"]),
                        surfaces: Self.texts(provider["surfaces"]), webSystems: Self.texts(provider["web_os"])))
            }
        }
        return found
    }

    /// Sets a fault of a provider, or with nil resets it. Returns the status.
    func setFault(_ name: String?, at provider: String) async throws -> Int {
        let body = name.map { JSON.object(["fault": .string($0)]).encoded() } ?? []
        return try await TestClient.send(
            name == nil ? "DELETE" : "PUT", "\(self.links)/sandbox/faults/\(provider)", body: body
        ).status
    }

    private static func texts(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }
}
