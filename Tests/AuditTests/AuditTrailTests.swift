import Base
import TestSupport
import Testing

@testable import Audit

#if canImport(Glibc)
import Glibc
#endif

/// Tests the writer with files and pipes of the system.
@Suite struct AuditTrailTests {
    private let sample: AuditSample
    private let clock = TestClock()
    private let folder: String

    init() throws {
        self.sample = try AuditSample()
        self.folder = "/tmp/audit-\(UInt64.random(in: 0...UInt64.max))"
        try SystemFile.makeFolder(self.folder)
    }

    private func trail(
        _ name: String = "audit.jsonl", _ policy: AuditTrail.Policy = .refuse, capacity: Int = AuditTrail.capacity
    ) throws -> AuditTrail {
        let clock = self.clock
        return try AuditTrail(
            "\(self.folder)/\(name)", policy: policy, version: "1", host: "h", signer: self.sample.signer,
            capacity: capacity, now: { clock.now })
    }

    private func bytes(_ name: String = "audit.jsonl") throws -> [UInt8] {
        try SystemFile.contents(of: "\(self.folder)/\(name)")
    }

    @Test func `several starts in one file are whole`() async throws {
        for number in 0..<3 {
            let trail = try self.trail()
            #expect(await trail.write(AuditSample.acknowledged(number)))
            await trail.close()
        }
        let verdict = self.sample.verdict([try self.bytes()])
        #expect(verdict == AuditVerdict(finding: nil, notes: [], records: 9, chains: 3))
    }

    @Test func `a chain goes on in the next file after a rotation`() async throws {
        let trail = try self.trail()
        #expect(await trail.write(AuditSample.acknowledged(1)))
        #expect(rename("\(self.folder)/audit.jsonl", "\(self.folder)/audit.jsonl.1") == 0)
        trail.reopen()
        await trail.flush()
        #expect(await trail.write(AuditSample.acknowledged(2)))
        await trail.close()
        let (old, new) = (try self.bytes("audit.jsonl.1"), try self.bytes())
        #expect(self.sample.verdict([old, new]) == AuditVerdict(finding: nil, notes: [], records: 6, chains: 1))
        #expect(self.sample.verdict([old]).finding == nil)
        #expect(self.sample.verdict([new]).finding == nil)
        #expect(self.sample.verdict([old.dropLast(10), new]).finding != nil)
    }

    @Test func `the next start finds what was cut off`() async throws {
        let first = try self.trail("killed")
        #expect(await first.write(AuditSample.acknowledged(1)))
        let killed = try self.bytes("killed")
        let torn = killed + Array("{\"chain\":\"".utf8)
        try SystemFile.create("\(self.folder)/audit.jsonl", torn)
        let second = try self.trail()
        await second.close()
        let whole = try self.bytes()
        #expect(self.sample.verdict([whole]).finding == nil)
        let lines = whole.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
        #expect(self.sample.finding([lines[0]] + lines[3...])?.exitStatus == 14)
    }

    @Test func `a pipe that nobody reads refuses and then works again`() async throws {
        let path = "\(self.folder)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: FileError("nobody reads the pipe")) { try self.trail("pipe") }
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let trail = try self.trail("pipe")
        var isWritten = true
        var count = 0
        while isWritten, count < 10_000 {
            count += 1
            isWritten = await trail.write(AuditSample.acknowledged(count))
        }
        #expect(!isWritten && !trail.admits())
        #expect(await !trail.write(AuditSample.acknowledged(0)))
        trail.note(AuditSample.acknowledged(0))
        var read = Self.read(reader)
        trail.tick()
        await trail.flush()
        #expect(trail.admits())
        #expect(await trail.write(AuditSample.acknowledged(0)))
        await trail.close()
        read += Self.read(reader)
        let verdict = self.sample.verdict([read])
        #expect(verdict.finding == nil)
        #expect(verdict.notes == [.gap(AuditPlace("f0", line: count + 1), dropped: 0, refused: 3)])
    }

    @Test func `what is dropped is a record with its count`() async throws {
        let path = "\(self.folder)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let trail = try self.trail("pipe", .drop, capacity: 64)
        for number in 0..<1000 { #expect(await trail.write(AuditSample.acknowledged(number))) }
        await trail.flush()
        var read: [UInt8] = []
        for _ in 0..<3 {
            read += Self.read(reader)
            trail.tick()
            await trail.flush()
        }
        await trail.close()
        read += Self.read(reader)
        let counts = trail.counts
        let verdict = self.sample.verdict([read])
        #expect(counts.dropped > 0 && verdict.finding == nil)
        let dropped = verdict.notes.reduce(0) { sum, note in
            if case .gap(_, let dropped, _) = note { sum + dropped } else { sum }
        }
        #expect(dropped == counts.dropped)
    }

    @Test func `a second server and a file of something else are refused`() async throws {
        let trail = try self.trail()
        #expect(throws: FileError("another server writes to it. Each server needs a file of its own")) {
            try self.trail()
        }
        await trail.close()
        try SystemFile.create("\(self.folder)/other", Array("a line of a log\n".utf8))
        #expect(throws: FileError.self) { try self.trail("other") }
    }

    private static func read(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}
