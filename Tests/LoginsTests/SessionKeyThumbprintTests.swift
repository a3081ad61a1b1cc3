import Base
import Brokers
import Testing

@testable import Logins

/// A login remembers the key of its session: in its body, in its row beside servers of the version before, in its view.
@Suite struct SessionKeyThumbprintTests {
    static let thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"

    /// Returns the request of a row with these bytes.
    static func read(_ bytes: [UInt8]) throws(ByteReaderError) -> LoginRequest {
        var request = LoginRequest(provider: "mitid", app: "demo")
        try request.read(stored: bytes)
        return request
    }

    /// A request with some of the options, and without a thumbprint.
    struct Row: Equatable, Sendable, CustomTestStringConvertible {
        var nonce: String?
        var os: String?
        var parameters: [Parameter] = []
        var appSwitch = true

        var testDescription: String { "\(self)" }

        var request: LoginRequest {
            var request = LoginRequest(provider: "mitid", app: "demo")
            (request.nonce, request.os, request.parameters) = (self.nonce, self.os, self.parameters)
            request.appSwitch = self.appSwitch
            return request
        }

        /// What the version before wrote for it.
        var formerBytes: [UInt8] {
            var writer = ByteWriter()
            writer.write(self.nonce)
            writer.write(UInt8(self.appSwitch ? 1 : 0))
            writer.write(self.os)
            writer.write(self.parameters.count)
            for parameter in self.parameters {
                writer.write(parameter.name)
                writer.write(parameter.value)
            }
            return writer.bytes
        }
    }

    static let rows = [
        Row(), Row(nonce: "n"), Row(os: "ios", appSwitch: false),
        Row(nonce: "n", os: "ios", parameters: [Parameter("a", "b"), Parameter("c", "")]),
    ]

    @Test(arguments: rows) func `rows are read by both versions`(_ row: Row) throws {
        #expect(row.request.stored == (row == Row() ? [] : row.formerBytes))
        #expect(try Self.read(row.formerBytes).dpopThumbprint == nil)
        var request = row.request
        request.dpopThumbprint = Self.thumbprint
        let stored = request.stored
        // The version before reads its fields from the start and does not look at the rest.
        #expect(stored.starts(with: row.formerBytes))
        let read = try Self.read(stored)
        #expect(read.dpopThumbprint == Self.thumbprint)
        #expect((read.nonce, read.os, read.appSwitch) == (row.nonce, row.os, row.appSwitch))
        #expect(read.parameters == row.parameters)
    }

    @Test func `a cut thumbprint is refused`() {
        var request = LoginRequest(provider: "mitid", app: "demo")
        request.dpopThumbprint = Self.thumbprint
        let bytes = request.stored
        let former = Row().formerBytes.count
        for count in former + 1..<bytes.count {
            #expect(throws: ByteReaderError.self) { try Self.read(Array(bytes.prefix(count))) }
        }
    }

    @Test func `the thumbprint is part of the body`() async throws {
        let stage = try FlowStage()
        var request = LoginRequest(provider: "mitid", app: "demo")
        let without = request.canonical
        request.dpopThumbprint = Self.thumbprint
        #expect(request.canonical != without)
        #expect(!String(decoding: without, as: UTF8.self).contains("dpop_jkt"))
        _ = try await stage.flow.create(request, secret: stage.secret)
        #expect(try await stage.flow.create(request, secret: stage.secret).isNew == false)
        for other in [nil, String(Self.thumbprint.reversed())] {
            request.dpopThumbprint = other
            await #expect(throws: LoginFlowError.differentBody) {
                try await stage.flow.create(request, secret: stage.secret)
            }
        }
    }

    @Test func `an app with sessions must name the thumbprint`() async throws {
        let stage = try FlowStage(needsThumbprint: true)
        await #expect(throws: LoginFlowError.thumbprintMissing) { try await stage.create() }
        #expect(try await stage.stored() == nil)
        #expect(try await stage.create(thumbprint: Self.thumbprint).status == .pending)
    }

    @Test(arguments: [nil, thumbprint])
    func `only a completed login shows the thumbprint`(_ thumbprint: String?) async throws {
        let stage = try FlowStage(.returnLink)
        let created = try await stage.create(thumbprint: thumbprint)
        #expect((created.dpopThumbprint, created.completedAt, created.keepUntil) == (nil, nil, nil))
        stage.pass(10)
        let state = try await stage.open().state
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        await stage.flow.finish()
        let waiting = try await stage.flow.loadView(stage.id, secret: stage.secret)
        #expect(waiting.status == .awaitingReturn)
        #expect((waiting.dpopThumbprint, waiting.completedAt, waiting.keepUntil) == (nil, nil, nil))
        stage.pass(20)
        let known = try #require(try await stage.stored())
        let proof = PageProof(known.id, try #require(known.login.acceptedResponse), under: known.key)
        let check = ProofCheck(repository: stage.flow.repository)
        _ = try await check.check(.link(proof.link), for: known, stage.secret)
        let done = try await stage.flow.loadView(stage.id, secret: stage.secret)
        #expect(done.status == .completed)
        #expect(done.dpopThumbprint == thumbprint)
        // The time of the proof, by our clock.
        #expect(done.completedAt == Example.after(30))
        #expect(done.keepUntil == done.expiresAt)
        #expect(done.keepUntil == Example.after(630))
    }
}
