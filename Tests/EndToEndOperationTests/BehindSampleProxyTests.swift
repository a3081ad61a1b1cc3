import Base
import EndToEndSupport
import Foundation
import StrictJSON
import TestSupport
import Testing

/// The samples of `docs/how-to/behind-a-proxy.md`, played with HTTP/2, and with compression: an app that follows rule 4
/// does not spin, whatever the proxy does to our tags.
@Suite(.blocking, .serialized, .enabled(if: TestTier.isWhole, "takes nginx, Apache, HAProxy and curl"))
struct BehindSampleProxyTests {
    @Test(arguments: ProxySample.all)
    func `long polls wait behind each sample proxy`(_ sample: ProxySample) async throws {
        let server = try await RunningServer.start(
            [.query],
            settings: """
                limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}
                proxy: {header: x-forwarded-for, trusted: [127.0.0.0/8]}
                """)
        let certificates = try TestCertificates([.good])
        let port = try FreePort.find()
        let proxy = try sample.start(port, upstream: server.port, certificates)
        defer {
            proxy.send(SIGTERM)
            if sample.kind != .apache { proxy.terminate() }
            _ = proxy.end()
        }
        var app = CurlClient(url: "https://localhost:\(port)", certificates)
        let created = try app.create(BrokerVariant.query.name)
        let client = app
        #expect(created.status == 201 && created.version == "2", "\(created.head)")

        // Rule 4, with the tags as they come. Each poll that waits takes its time, so the app does not spin.
        var (answers, tag) = ([CurlClient.Answer](), String?.none)
        let start = ContinuousClock.now
        for _ in 0..<4 {
            let answer = try client.poll(wait: 2, tag)
            answers.append(answer)
            tag = answer.tag ?? tag
        }
        #expect(answers.map(\.status) == [200, 304, 304, 304], "\(answers.map(\.head))")
        // The first poll has no validator, and waits for the end of the login too.
        #expect(ContinuousClock.now - start > .milliseconds(7500))
        #expect(answers[0].coding == sample.coding, "\(answers[0].head)")
        #expect(answers[0].tag == "W/\"1\(sample.suffix)\"", "\(answers[0].head)")
        #expect(answers[0].field("cache-control") == "no-store, no-transform")
        #expect(answers[0].json?["status"]?.string == "pending")

        // A change ends the poll that is held, also with the tag of a proxy.
        let known = tag
        async let held = Self.poll(client, known)
        #expect(try await eventually { try await server.heldPolls() == 1 })
        #expect(try client.cancel().status == 200)
        let last = try await held
        #expect(last.status == 200 && last.json?["status"]?.string == "cancelled", "\(last.head)")
        certificates.remove()
        await server.stop()
    }

    private static func poll(_ client: CurlClient, _ tag: String?) async throws -> CurlClient.Answer {
        try client.poll(wait: 25, tag)
    }
}

extension RunningServer {
    fileprivate func heldPolls() async throws -> Int {
        let text = try await TestClient.send("GET", "\(self.operations)/metrics").text
        return text.firstMatch(of: /switchback_held_polls ([0-9]+)/).flatMap { Int($0.1) } ?? 0
    }
}

/// An app by curl, which speaks HTTP/2 and accepts every coding.
private struct CurlClient: Sendable {
    struct Answer: Sendable {
        let head: String
        let body: [UInt8]

        var version: String? { self.words.first?.split(separator: "/").last.map { String($0) } }
        var status: Int { self.words.count > 1 ? Int(self.words[1]) ?? 0 : 0 }
        var tag: String? { self.field("etag") }
        var coding: String? { self.field("content-encoding") }
        var json: JSON? { try? JSON(parsing: self.body) }

        private var words: [Substring] { self.head.prefix { $0 != "\r\n" && $0 != "\n" }.split(separator: " ") }

        func field(_ name: String) -> String? {
            for line in self.head.split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, parts[0].lowercased() == name else { continue }
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
            return nil
        }
    }

    let url: String
    private let folder: String
    private let authority: String
    private let secret = Base64URL.encode(RandomBytes.make(32))
    private var id = ""

    init(url: String, _ certificates: TestCertificates) {
        self.url = url
        self.folder = certificates.folder
        self.authority = certificates.authority
    }

    mutating func create(_ provider: String) throws -> Answer {
        let body = JSON.object(["provider": .string(provider), "poll_secret": .string(self.secret)])
        let answer = try self.send(
            "POST", "/v1/logins", ["Content-Type: application/json"], String(decoding: body.encoded(), as: UTF8.self))
        self.id = answer.json?["id"]?.string ?? ""
        return answer
    }

    func poll(wait: Int, _ tag: String?) throws -> Answer {
        let known = tag.map { ["If-None-Match: \($0)"] } ?? []
        return try self.send("GET", "/v1/logins/\(self.id)", self.bearer + ["Prefer: wait=\(wait)"] + known)
    }

    func cancel() throws -> Answer { try self.send("POST", "/v1/logins/\(self.id)/cancel", self.bearer) }

    private var bearer: [String] { ["Authorization: Bearer \(self.secret)"] }

    private func send(_ method: String, _ path: String, _ fields: [String], _ body: String? = nil) throws -> Answer {
        let name = "\(self.folder)/curl-\(UInt32.random(in: 0 ... .max))"
        var words = ["-s", "--http2", "--compressed", "--cacert", self.authority, "--max-time", "60", "-X", method]
        words += ["-D", "\(name).head", "-o", "\(name).body"]
        for field in fields { words += ["-H", field] }
        if let body { words += ["-d", body] }
        words.append(self.url + path)
        #expect(try ChildProcess(tool: "curl", words, in: self.folder).end())
        let data = FileManager.default.contents(atPath: "\(name).body") ?? Data()
        return Answer(head: try String(contentsOfFile: "\(name).head", encoding: .utf8), body: [UInt8](data))
    }
}
