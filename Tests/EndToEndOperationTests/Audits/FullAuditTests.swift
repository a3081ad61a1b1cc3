import EndToEndSupport
import Foundation
import StrictJSON
import TestSupport
import Testing

/// A server whose audit cannot be written: what apps are told, what is recorded later, and that nothing else waits.
@Suite(.blocking) struct FullAuditTests {
    /// A pipe that somebody holds open and does not read. A few records fit.
    private static func makePipe() throws -> (path: String, reader: LogPipe) {
        let path = "\(NSTemporaryDirectory())audit-\(UInt32.random(in: 0 ... .max)).pipe"
        return (path, try LogPipe(path, capacity: 4096))
    }

    @Test func `with refuse an app is told to come back, and gets its result`() async throws {
        let (path, reader) = try Self.makePipe()
        defer { unlink(path) }
        let stage = try AuditStage(file: path)
        let server = try await stage.stage.serve()
        // Each whole login is two records, until one finds no room.
        var refusal: (app: PhoneApp, answer: Answer)?
        for _ in 0..<40 where refusal == nil {
            let app = PhoneApp(stage.stage.url)
            let created = try await app.create("demo")
            guard created.status == 201 else {
                refusal = (app, created)
                continue
            }
            var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
            try await browser.submit(button: "approve")
            var answer = try await app.poll(wait: 5)
            if answer.json?["final"]?.bool == false { answer = try await app.poll(wait: 10, etag: answer[.etag]) }
            let isRefused = answer.status == 503
            let acknowledgement = isRefused ? answer : try await app.acknowledge()
            if acknowledgement.status == 503 { refusal = (app, acknowledgement) }
        }
        let (app, answer) = try #require(refusal, "the pipe is never full")
        #expect(answer.status == 503 && answer.json?["code"] == "audit_unavailable", "\(answer.text)")
        #expect(answer[.retryAfter] == "5")
        #expect(try await stage.stage.says("audit_failing").contains("the reader of the pipe has stopped"))

        // Nothing else waits for the pipe.
        let start = ContinuousClock.now
        for _ in 0..<20 {
            #expect(try await TestClient.send("GET", "\(stage.stage.operations)/readyz").status == 200)
            #expect(try await PhoneApp(stage.stage.url).create("demo").status == 503)
        }
        #expect(
            ContinuousClock.now - start < .seconds(20), "forty requests that would wait for the pipe for a second each")

        // The reader is back, and the app that repeats its request gets on.
        let isBack = try await eventually {
            reader.read()
            let repeated = app.id == nil ? try await app.create("demo") : try await app.poll()
            return repeated.status == 200 || repeated.status == 201
        }
        #expect(isBack)
        #expect(try await stage.stage.says("audit_working").contains("\"dropped\":0"))
        reader.read()
        _ = try await stage.login()
        #expect(stage.end(server))
        reader.read()
        let verdict = try stage.verify([reader.text], keys: try stage.keys())
        #expect(verdict.status == 0 && verdict.text.contains("0 records were dropped"), "\(verdict)")
        let refusedCount = reader.lines.compactMap { $0["refused"]?.integer }.reduce(0, +)
        #expect(refusedCount >= 21, "the first one, and the creates")
        await stage.stage.stop()
    }

    @Test func `with drop everything goes on, and the loss is a record with its count`() async throws {
        let (path, reader) = try Self.makePipe()
        defer { unlink(path) }
        let stage = try AuditStage(", on_full: drop, waiting: 16", file: path)
        let server = try await stage.stage.serve()
        // What fits into the pipe, what waits in memory, and more.
        for _ in 0..<25 { #expect(try await stage.login().end["status"] == "completed") }
        let isDropping = try await eventually {
            try await Self.metric("switchback_audit_records_total{outcome=\"dropped\"}", of: stage) > 0
        }
        try #require(isDropping)
        let isEmpty = try await eventually {
            reader.read()
            let waiting = try await Self.metric("switchback_audit_queue", of: stage)
            return waiting == 0 && stage.stage.log.contains("audit_working")
        }
        #expect(isEmpty)
        let droppedCount = try await Self.metric("switchback_audit_records_total{outcome=\"dropped\"}", of: stage)
        #expect(stage.end(server))
        reader.read()
        #expect(reader.lines.compactMap { $0["dropped"]?.integer }.reduce(0, +) == droppedCount)
        let logins = reader.lines.count { $0["event"] == "delivered" || $0["event"] == "acknowledged" }
        #expect(logins + droppedCount == 50, "each record is there or counted")
        let verdict = try stage.verify([reader.text], keys: try stage.keys())
        #expect(verdict.status == 0 && verdict.text.contains(" records were dropped"), "\(verdict)")
        await stage.stage.stop()
    }

    @Test func `with drop a full disk keeps nobody from logging in, from the start on`() async throws {
        let stage = try AuditStage(", on_full: drop", file: "/dev/full")
        let server = try await stage.stage.serve()
        #expect(try await stage.stage.says("audit_failing").contains("No space left on device. Make room for it"))
        #expect(try await stage.login().end["status"] == "completed")
        #expect(stage.end(server))
        // Started, configuration, keys, delivered and acknowledged, of which the first is made when it can be written.
        #expect(try await stage.stage.says("audit_lost").contains("\"count\":4"))
        await stage.stage.stop()
    }

    private static func metric(_ series: String, of stage: AuditStage) async throws -> Int {
        let text = try await TestClient.send("GET", "\(stage.stage.operations)/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(series) ") }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }
}
