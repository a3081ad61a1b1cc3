import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The program under a service manager: it reports readiness and the stop, and it takes sockets that are already open.
@Suite(.blocking) struct StartedBySystemdTests {
    private static let activator = "/usr/bin/systemd-socket-activate"

    /// It passes no variable on that it does not know, and ThreadSanitizer needs its options.
    private static let activated =
        [Self.activator]
        + (ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil ? [] : ["-E", "TSAN_OPTIONS"])

    @Test func `the program says how far it is`() async throws {
        let stage = try DurableStage()
        let manager = try NotifySocket(path: "\(stage.folder)/notify")
        let process = try stage.start(by: ["/usr/bin/env", "NOTIFY_SOCKET=\(stage.folder)/notify"])
        #expect(manager.next() == "READY=1")
        #expect(try await TestClient.send("GET", "\(stage.url)/v1/providers").status == 200, "and it serves")
        process.send(SIGHUP)
        #expect(manager.next()?.starts(with: "RELOADING=1\nMONOTONIC_USEC=") == true)
        #expect(manager.next() == "READY=1")
        #expect(try await TestClient.send("GET", "\(stage.url)/v1/providers").status == 200)
        process.send(SIGTERM)
        #expect(manager.next() == "STOPPING=1")
        #expect(process.end())
        await stage.stop()
    }

    /// The inherited sockets use other addresses than the settings.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: activator), "systemd is not installed"),
        arguments: [["--fdname=app:operations"], []])
    func `the program uses the sockets that it inherits`(_ names: [String]) async throws {
        let stage = try DurableStage()
        let (port, operations) = (try FreePort.find(), try FreePort.find())
        let sockets = ["-l", "127.0.0.1:\(port)", "-l", "127.0.0.1:\(operations)"]
        let process = try stage.start(by: Self.activated + sockets + names)
        let ready = try await DurableStage.ready(process, "http://127.0.0.1:\(operations)")
        #expect(try await TestClient.send("GET", "http://127.0.0.1:\(port)/v1/providers").status == 200)
        #expect(throws: TestClient.Failure.self) {
            try TestClient.connect(port: UInt16(stage.url.split(separator: ":").last ?? "") ?? 0)
        }
        ready.send(SIGTERM)
        #expect(ready.end())
        await stage.stop()
    }

    /// The server needs to know here too who its clients are. The socket files are systemd's, and stay.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: activator), "systemd is not installed"),
        arguments: ["proxy: {header: x-forwarded-for, trusted: [unix]}", ""])
    func `the program uses Unix sockets that it inherits`(_ proxy: String) async throws {
        let stage = try DurableStage("\(DurableStage.immediate)\n\(proxy)")
        let folder = try UnixSocket.folder()
        let path = "\(folder)/http.sock"
        let process = try stage.start(by: Self.activated + ["-l", path, "--fdname=app"])
        // The activator binds before it listens, so the file alone is not enough.
        #expect(try await eventually { (try? TestClient.connect(path: path)).map { close($0) } != nil })
        if proxy.isEmpty {
            let client = try TestClient.connect(path: path)
            #expect(process.end() == false)
            close(client)
            #expect(
                stage.log.contains("LISTEN_FDS: unix:\(path) is a Unix socket, where no client has"), "\(stage.log)")
        } else {
            let answer = try await RawExchange.send("GET /v1/providers HTTP/1.1\r\nHost: a\r\n\r\n") {
                try TestClient.connect(path: path)
            }
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            process.send(SIGTERM)
            #expect(process.end())
            #expect(FileManager.default.fileExists(atPath: path))
        }
        try FileManager.default.removeItem(atPath: folder)
        await stage.stop()
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: activator), "systemd is not installed"))
    func `the program says which sockets it cannot use`() async throws {
        let stage = try DurableStage()
        let port = try FreePort.find()
        let process = try stage.start(by: Self.activated + ["-l", "127.0.0.1:\(port)", "--fdname=app:app"])
        let client = try await Self.connect(port)
        #expect(process.end() == false)
        close(client)
        #expect(stage.log.contains("LISTEN_FDNAMES has 2 names for 1 sockets"), "\(stage.log)")
        await stage.stop()
    }

    /// The unit files, unchanged except for the program's path.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/systemd-analyze"), "systemd is not installed"))
    func `the units are right and leave little open`() throws {
        let folder = NSTemporaryDirectory() + "units-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["switchback.service", "switchback.socket"] {
            let unit = try String(contentsOfFile: "\(RunningServer.publicFolder)/../Config/\(name)", encoding: .utf8)
            try unit.replacing("/usr/bin/switchback", with: "/bin/true")
                .write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        for words in [
            ["verify", "--man=no", "switchback.service", "switchback.socket"],
            // The threshold is in tenths of an exposure level of at most 10.
            ["security", "--offline=true", "--threshold=15", "switchback.service"],
        ] {
            let analysis = try ChildProcess(
                tool: "systemd-analyze", words.map { $0.hasPrefix("switchback.") ? "\(folder)/\($0)" : $0 }, in: folder,
                output: "\(folder)/said")
            #expect(
                analysis.end(), "\(words): \((try? String(contentsOfFile: "\(folder)/said", encoding: .utf8)) ?? "")")
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Connects until the server responds: the activator starts the program at the first connection.
    private static func connect(_ port: UInt16) async throws -> Int32 {
        for _ in 0..<500 {
            if let descriptor = try? TestClient.connect(port: port) { return descriptor }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw TestClient.Failure(description: "nothing listens")
    }
}
