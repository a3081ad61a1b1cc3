import Base
import Brokers
import TestSupport
import Testing

@testable import Logins

/// A reader of the store cannot decrypt a row, and a writer cannot forge one.
@Suite struct SealingTests {
    @Test(arguments: Stage.allCases.filter { $0 != .gone }) func `a row gives back its login`(_ stage: Stage) throws {
        let login = stage.login()
        let row = LoginSeal.seal(login, under: Example.key)
        let keys = try #require(ServerKeys([ServerKey.make(), Example.key]))
        let (opened, key) = try LoginSeal.open(row, keys: keys)
        #expect(opened == login)
        #expect(key.id == Example.key.id)
        #expect(row.isOpen == (login.status.map { !$0.isFinal } ?? false))
        #expect(row.due == login.due)
    }

    @Test func `what browsers did is kept in a row`() throws {
        let keys = try #require(ServerKeys([Example.key]))
        var login = Stage.pending.login()
        for number in 1...3 as ClosedRange<UInt8> { _ = login.start(Example.attempt(number), at: Example.after(1)) }
        login.noteBrowserGone()
        var rows = [login]
        _ = login.restart(Example.attempt(3).id, isOwn: false, at: Example.after(2))
        rows.append(login)
        _ = login.acceptCallback(
            .granted(code: [5]), to: Example.attempt(3).id, hash: Example.hash(5), at: Example.after(3))
        rows.append(login)
        for login in rows {
            #expect(try LoginSeal.open(LoginSeal.seal(login, under: Example.key), keys: keys).0 == login)
        }
    }

    @Test func `every changed byte of a row is seen`() throws {
        let keys = try #require(ServerKeys([Example.key]))
        let row = LoginSeal.seal(Stage.exchanging.login(), under: Example.key)
        for index in row.bytes.indices {
            var bytes = row.bytes
            bytes[index] ^= 1
            let forged = SealedLogin(
                id: row.id, revision: row.revision, due: row.due, isOpen: row.isOpen, bytes: bytes)
            #expect(throws: RowError.self) { try LoginSeal.open(forged, keys: keys) }
        }
    }

    @Test(arguments: [0, 7, 8, 40, 41, 100]) func `a short row is refused`(_ count: Int) throws {
        let keys = try #require(ServerKeys([Example.key]))
        let row = LoginSeal.seal(Stage.pending.login(), under: Example.key)
        let short = SealedLogin(
            id: row.id, revision: 1, due: row.due, isOpen: true, bytes: Array(row.bytes.prefix(count)))
        #expect(throws: RowError.self) { try LoginSeal.open(short, keys: keys) }
    }

    @Test func `a row of another login is refused`() throws {
        let keys = try #require(ServerKeys([Example.key]))
        let row = LoginSeal.seal(Stage.pending.login(), under: Example.key)
        let moved = SealedLogin(
            id: PollSecret.make().loginID, revision: row.revision, due: row.due, isOpen: true, bytes: row.bytes)
        #expect(throws: RowError.forged) { try LoginSeal.open(moved, keys: keys) }
    }

    /// The MAC of a row covers the columns that the store reads.
    @Test func `every changed column is seen`() throws {
        let keys = try #require(ServerKeys([Example.key]))
        let row = LoginSeal.seal(Stage.pending.login(), under: Example.key)
        for (revision, due, isOpen) in [
            (row.revision + 1, row.due, row.isOpen), (row.revision - 1, row.due, row.isOpen),
            (row.revision, row.due + .milliseconds(1), row.isOpen), (row.revision, row.due, !row.isOpen),
        ] {
            let forged = SealedLogin(id: row.id, revision: revision, due: due, isOpen: isOpen, bytes: row.bytes)
            #expect(throws: RowError.forged) { try LoginSeal.open(forged, keys: keys) }
        }
    }

    @Test func `a retired key is reported as one`() throws {
        let keys = try #require(ServerKeys([ServerKey.make(), ServerKey.make()]))
        let row = LoginSeal.seal(Stage.pending.login(), under: Example.key)
        #expect(throws: RowError.retiredKey) { try LoginSeal.open(row, keys: keys) }
    }

    @Test func `the outcome opens only with the poll secret`() throws {
        let login = Stage.exchanging.login()
        let id = login.id
        let header = OutcomeSeal.Header(login: login, status: .completed, proof: .none, keepUntil: Example.after(9))
        let wrapped = Example.key.wrapped(Example.secret.outcomeKey(of: id).exposed, of: id)
        let unwrapped = Secret(Example.key.wrapped(wrapped, of: id))
        #expect(unwrapped == Example.secret.outcomeKey(of: id))

        let sealed = OutcomeSeal(unwrapped, header, under: Example.key).seal(Array("Alva".utf8))
        let secret = OutcomeSeal(Example.secret.outcomeKey(of: id), header, under: Example.key)
        #expect(secret.open(sealed) == Array("Alva".utf8))
        let other = OutcomeSeal(PollSecret.make().outcomeKey(of: id), header, under: Example.key)
        #expect(other.open(sealed) == nil)
        let later = OutcomeSeal.Header(login: login, status: .completed, proof: .none, keepUntil: Example.after(10))
        #expect(OutcomeSeal(unwrapped, later, under: Example.key).open(sealed) == nil, "the header is bound")
        let elsewhere = OutcomeSeal(unwrapped, header, under: ServerKey.make())
        #expect(elsewhere.open(sealed) == nil, "the server key is needed too")
    }

    @Test func `in-flight values open only in their place`() {
        let id = Example.secret.loginID
        let seal = InFlightSeal(id, under: Example.key)
        let sealed = seal.seal(.code, of: [1], [42])
        #expect(seal.open(.code, of: [1], sealed) == [42])
        #expect(seal.open(.answer, of: [1], sealed) == nil)
        #expect(seal.open(.code, of: [2], sealed) == nil)
        #expect(InFlightSeal(PollSecret.make().loginID, under: Example.key).open(.code, of: [1], sealed) == nil)
        #expect(InFlightSeal(id, under: ServerKey.make()).open(.code, of: [1], sealed) == nil)
    }

    @Test(arguments: 0..<300) func `no changed row traps`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let login = Stage.allCases[Int(seed) % Stage.allCases.count].login()
        var fields = LoginCodec.encode(login)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            fields[Int.random(in: fields.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        _ = try? LoginCodec.decode(Array(fields.prefix(Int.random(in: 0...fields.count, using: &random))))
    }
}
