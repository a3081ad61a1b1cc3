import Base
import Synchronization
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
        _ name: String = "audit.jsonl", _ policy: AuditTrail.Policy = .refuse, capacity: Int = 8192,
        report: @escaping @Sendable (AuditTrail.Notice) -> Void = { _ in }
    ) throws -> AuditTrail {
        let clock = self.clock
        return try AuditTrail(
            name.hasPrefix("/") ? name : "\(self.folder)/\(name)", policy: policy, version: "1", host: "h",
            signer: self.sample.signer, capacity: capacity, now: { clock.now }, report: report)
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
        trail.tick()
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
        #expect(throws: FileError("nobody reads the pipe. Start its reader first")) { try self.trail("pipe") }
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

    @Test func `a full disk at the start refuses the start, or is told and counted`() async throws {
        #expect(throws: FileError("No space left on device. Make room for it")) { try self.trail("/dev/full") }
        let notices = Mutex<[AuditTrail.Notice]>([])
        let trail = try self.trail("/dev/full", .drop) { notice in notices.withLock { $0.append(notice) } }
        #expect(trail.admits())
        #expect(await trail.write(AuditSample.acknowledged(1)))
        trail.tick()
        await trail.close()
        #expect(trail.counts == AuditTrail.Counts(recorded: 0, dropped: 0, refused: 0, waiting: 1))
        #expect(
            notices.withLock { $0 } == [.failing("No space left on device. Make room for it"), .lost(1)], "each once")
    }

    /// Nobody logs in, so only the signature of each minute finds out that the pipe is full, and later that it is not.
    @Test func `a server that nobody uses works again by itself`() async throws {
        let path = "\(self.folder)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        // fcntl(2): F_SETPIPE_SZ, which Glibc does not import. It holds a page.
        #expect(fcntl(reader, 1031, 4096) >= 0)
        let trail = try self.trail("pipe")
        while trail.admits() {
            self.clock.now = self.clock.now + .seconds(61)
            trail.tick()
            await trail.flush()
        }
        var text = Self.read(reader)
        trail.tick()
        await trail.flush()
        #expect(trail.admits(), "the refusal that the loop has seen is a record")
        await trail.close()
        text += Self.read(reader)
        #expect(self.sample.verdict([text]).finding == nil)
    }

    /// A signature names its key, and a reader of the file alone has that key by then.
    @Test func `a new key signs once a record names it`() async throws {
        let (trail, next) = (try self.trail(), try AuditSample("next"))
        trail.sign(with: next.signer, keys: [])
        #expect(await trail.write(AuditSample.acknowledged(1)))
        await trail.close()
        var verifier = AuditVerifier()
        verifier.beginFile("f")
        for line in try self.bytes().split(separator: UInt8(ascii: "\n")) { verifier.read(Array(line)) }
        let verdict = verifier.verdict(at: AuditSample.later)
        #expect(verdict.finding == nil && verdict.notes == [.ownKeys(["a1", "next"])])
        #expect(self.sample.verdict([try self.bytes()]).finding?.exitStatus == 15, "with the old key only")
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
