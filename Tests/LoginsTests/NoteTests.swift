import Base
import Brokers
import Testing

@testable import Logins

/// A note is opened with the server key and its login's id alone, has bounds, and never fails a login.
@Suite struct NoteTests {
    private static let reference = "K7QX-2M4P"
    private let id = PollSecret.make().loginID
    private let key = ServerKey.make()

    private func step(_ name: String, at seconds: Int, _ details: [Parameter] = []) -> NotedStep {
        NotedStep(at: Timestamp(seconds: seconds), name: name, details: details)
    }

    private func open(_ bytes: [UInt8], _ keys: ServerKey...) throws -> [NotedStep] {
        let keys = try #require(ServerKeys(keys.isEmpty ? [self.key] : keys))
        return NoteSeal.open(StoredNote(id: self.id, bytes: bytes), keys: keys)
    }

    // MARK: - The encoding

    @Test func `what was added is read in the order of its time`() throws {
        let created = self.step("created", at: 1, [Parameter("app", "shop"), Parameter("provider", "mitid")])
        let ended = self.step("ended", at: 3, [Parameter("reason", "broker_error")])
        let opened = self.step("opened", at: 2)
        let bytes = [[created], [ended], [opened]].flatMap { NoteSeal.seal($0, of: self.id, under: self.key) }
        #expect(try self.open(bytes) == [created, opened, ended])
    }

    @Test func `a part under a former key is read and one under an unknown key is left out`() throws {
        let (former, unknown) = (ServerKey.make(), ServerKey.make())
        let parts = [("created", former), ("opened", unknown), ("ended", self.key)].enumerated()
        let bytes = parts.flatMap { index, part in
            NoteSeal.seal([self.step(part.0, at: index)], of: self.id, under: part.1)
        }
        #expect(try self.open(bytes, self.key, former).map(\.name) == ["created", "ended"])
        #expect(try self.open(bytes, ServerKey.make()) == [])
    }

    @Test func `a note of another login opens nothing`() throws {
        let bytes = NoteSeal.seal([self.step("created", at: 1)], of: PollSecret.make().loginID, under: self.key)
        #expect(try self.open(bytes) == [])
    }

    @Test func `no changed byte and no cut gives other steps`() throws {
        let step = self.step("created", at: 1, [Parameter("app", "shop")])
        let bytes = NoteSeal.seal([step], of: self.id, under: self.key)
        for index in bytes.indices {
            var changedBytes = bytes
            changedBytes[index] ^= 1
            #expect(try self.open(changedBytes) == [], "byte \(index)")
            #expect(try self.open(Array(bytes.prefix(index))) == [], "cut at \(index)")
            #expect(try self.open(bytes + bytes.prefix(index)) == [step], "\(index) bytes too many")
        }
    }

    /// Somebody with the key could write anything. Reading that neither traps nor takes long.
    @Test func `any content of a part is read or refused`() throws {
        let steps = [self.step("created", at: 1, [Parameter("app", "shop")]), self.step("opened", at: 2)]
        for seed in 0..<2000 {
            var bytes = (0..<(seed % 60)).map { _ in UInt8.random(in: 0 ... .max) }
            if seed % 2 == 0 { bytes = [UInt8(seed % 70)] + bytes }
            let read = (try? NoteSeal.steps(bytes)) ?? []
            #expect(read.count <= NoteSeal.mostSteps)
        }
        #expect(throws: ByteReaderError.self) { try NoteSeal.steps([]) }
        #expect(throws: ByteReaderError.self) { try NoteSeal.steps([66]) }
        #expect(try self.open(NoteSeal.seal(steps, of: self.id, under: self.key)) == steps)
    }

    /// Returns the size of a note's part with this number of steps, in bytes.
    @Test(arguments: [(1, 46), (2, 64), (3, 96), (8, 256), (32, 1024)])
    func `a kilobyte has at most 32 steps`(_ count: Int, _ size: Int) throws {
        let steps = (0..<count).map { self.step("opened", at: 1_795_000_000 + $0) }
        let bytes = NoteSeal.seal(steps, of: self.id, under: self.key)
        #expect(bytes.count == size)
        #expect(try self.open(bytes) == steps)
        #expect(try self.open(bytes + bytes).count <= NoteSeal.mostSteps)
    }

    @Test func `a long text is cut off between characters`() {
        let step = self.step("ended", at: 1, [Parameter("broker_error", String(repeating: "ø", count: 40) + "x")])
        #expect(step.details == [Parameter("broker_error", String(repeating: "ø", count: 32))])
    }

    @Test(arguments: [
        ("K7QX-2M4P", true), ("k7qx2m4p", true), (" k7 qx-2m 4p ", true), ("K7QX-2M4", false), ("K7QX-2M4PP", false),
        ("K7QX-2M0P", false), ("", false), ("K7QX/2M4P", false), ("K7QX-2M4Ø", false),
    ]) func `a reference may be spelled in many ways`(_ text: String, _ isOne: Bool) {
        #expect(LoginID.reference(spelled: text) == (isOne ? Self.reference : nil))
    }

    // MARK: - A login

    private func notes(_ stage: FlowStage) async throws -> [LoginNote] {
        try await stage.flow.notes(ofReference: stage.id.reference)
    }

    @Test func `a login that succeeds has its steps`() async throws {
        let stage = try FlowStage(noteLifetime: .seconds(86_400))
        try await stage.create()
        let state = try await stage.open().state
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        await stage.flow.finish()
        stage.flow.noteDelivery(of: try await stage.flow.loadView(stage.id, secret: stage.secret))
        try await stage.flow.acknowledge(stage.id, secret: stage.secret)
        let note = try #require(try await self.notes(stage).first)
        let names = note.steps.map(\.name)
        #expect(names.starts(with: ["created", "opened", "callback"]), "\(names)")
        #expect(names.suffix(3) == ["ended", "delivered", "acknowledged"], "\(names)")
        #expect(note.steps.first?.details == [Parameter("app", "demo"), Parameter("provider", "mitid")])
        stage.pass(86_400)
        #expect(try await self.notes(stage) == [], "its time is over")
    }

    @Test func `a login that fails says why`() async throws {
        let stage = try FlowStage(noteLifetime: .seconds(86_400))
        try await stage.create()
        let state = try await stage.open().state
        _ = await stage.callback([Parameter("state", state), Parameter("error", "server_error")])
        let end = try #require(try await self.notes(stage).first?.steps.last)
        #expect(end.name == "ended")
        let words = Set(end.details.map(\.name))
        #expect(words.isSuperset(of: ["status", "reason", "broker_error"]), "\(end.details)")
    }

    /// A user who opens a link many times fills the note. There is still room for the login's end.
    @Test func `the end is never lost`() async throws {
        let stage = try FlowStage(noteLifetime: .seconds(86_400))
        try await stage.create()
        for _ in 0..<40 { _ = try? await stage.open() }
        _ = try await stage.flow.cancel(stage.id, secret: stage.secret, waiting: .zero)
        let bytes = try await stage.store.notes(ofReference: stage.id.reference).map(\.bytes.count)
        #expect(bytes.count == 1 && bytes.allSatisfy { $0 <= NoteSeal.limit }, "\(bytes)")
        let steps = try #require(try await self.notes(stage).first?.steps)
        #expect(steps.count <= NoteSeal.mostSteps)
        #expect(steps.last?.name == "ended")
    }

    @Test func `a recorder that is off adds nothing and writes no more`() async throws {
        var writes: [Int] = []
        for lifetime in [Duration.zero, .seconds(86_400)] {
            let stage = try FlowStage(noteLifetime: lifetime)
            try await stage.create()
            let state = try await stage.open().state
            _ = await stage.callback([Parameter("state", state), Parameter("error", "server_error")])
            writes.append(stage.store.take().writes)
            #expect(try await self.notes(stage).isEmpty == (lifetime == .zero))
        }
        #expect(writes[0] == writes[1])
    }
}
