import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The program at SIGTERM: clients get their connections closed, long polls learn when to return, and a second signal,
/// at least a second later, ends the program at once.
@Suite(.blocking) struct StoppingProgramTests {
    @Test func `during the delay each response closes its connection`() async throws {
        let stage = try DurableStage()
        let process = try await stage.serve(by: ["/usr/bin/env", "SWITCHBACK_DRAIN_DELAY=2"])
        let open = try Self.connect(stage)
        #expect(try Self.ask(open) == "keeps")
        process.send(SIGTERM)
        #expect(
            try await eventually {
                try await TestClient.send("GET", "\(stage.operations)/readyz").status == 503
            })
        #expect(try Self.ask(open) == "closes", "an earlier connection")
        let late = try Self.connect(stage)
        #expect(try Self.ask(late) == "closes", "a late connection")
        let app = PhoneApp(stage.url)
        #expect(try await app.create("demo").status == 201, "logins are still accepted")
        #expect(process.end())
        for descriptor in [open, late] { close(descriptor) }
        await stage.stop()
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `a second signal ends the program at once`(_ signal: Int32) async throws {
        let stage = try DurableStage()
        stage.front.conduct(at: "/token", .neverAnswers)
        let process = try await stage.serve()
        let app = PhoneApp(stage.url)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        _ = try await ScriptedBrowser.send(try await browser.callback(of: .query))
        #expect(await stage.front.reached.next() == true)
        process.send(SIGTERM)
        #expect(try await eventually { stage.log.contains("stopping") })
        process.send(signal)
        // A signal counts as the second one when a second has passed.
        try await Task.sleep(for: .milliseconds(1100))
        #expect(process.isRunning, "a code exchange is running, and the immediate signal counts as the first one")
        let start = ContinuousClock.now
        process.send(signal)
        #expect(process.status() == Int(128 + signal))
        #expect(ContinuousClock.now - start < .seconds(3))
        let lines = stage.log.split(separator: "\n").filter { $0.contains("stopped_at_once") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("a second signal") == true)
        await stage.stop()
    }

    /// Long polls without a validator get the login and the time to poll again.
    @Test func `long polls are told when to return`() async throws {
        let stage = try DurableStage()
        let process = try await stage.serve()
        var polls: [Task<Answer, any Error>] = []
        for _ in 0..<20 {
            let app = PhoneApp(stage.url)
            _ = try await app.create("demo")
            polls.append(Task { try await app.poll(wait: 25) })
        }
        #expect(
            try await eventually {
                try await TestClient.send("GET", "\(stage.operations)/metrics").text.contains(
                    "switchback_held_polls 20\n")
            })
        process.send(SIGTERM)
        var pauses: Set<Int> = []
        for poll in polls {
            let answer = try await poll.value
            #expect(answer.status == 200)
            #expect(answer[.connection] == "close")
            pauses.insert(answer.json?["poll"]?["after_ms"]?.integer ?? 0)
        }
        #expect(pauses.allSatisfy { (1...500).contains($0) })
        #expect(pauses.count > 10, "not all at the same time")
        #expect(process.end())
        await stage.stop()
    }

    // MARK: - One connection, several requests

    private static func connect(_ stage: DurableStage) throws -> Int32 {
        guard let port = URL(string: stage.url)?.port else { throw TestClient.Failure(description: "no port") }
        return try TestClient.connect(port: UInt16(port))
    }

    /// Whether the response says that the connection closes.
    private static func ask(_ descriptor: Int32) throws -> String {
        try TestClient.write(Array("HEAD /v1/providers HTTP/1.1\r\nHost: a\r\n\r\n".utf8), to: descriptor)
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !text.hasSuffix("\r\n\r\n") {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return "nothing: \(text)" }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text.contains("Connection: close\r\n") ? "closes" : "keeps"
    }
}
