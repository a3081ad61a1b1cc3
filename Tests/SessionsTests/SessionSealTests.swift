import Base
import Cryptography
import TestSupport
import Testing

@testable import Logins
@testable import Sessions

/// A reader of the store learns nothing from a row, and a writer cannot forge one.
@Suite struct SessionSealTests {
    private static let pin = Secret([UInt8](repeating: 0xAB, count: 32))
    private static let random = Secret([UInt8](repeating: 0xCD, count: 32))

    /// The stages of a session.
    enum Stage: String, CaseIterable, Sendable {
        case begun, used, withPIN, unlocked, wrongPIN, lockedOut, ended, expired

        func session() throws -> Session {
            let phone = try SessionSealTests.phone.get()
            let rules = Example.rules
            let login = Example.login(phone.thumbprint, subject: Secret("19121212-1212"))
            var session = try #require(
                Session(
                    login, thumbprint: phone.thumbprint, level: .unlock, random: SessionSealTests.random,
                    at: Example.start, rules))
            guard var active = session.active, let pin = PINSecret(SessionSealTests.pin, id: "p1") else {
                return session
            }
            func play(_ second: Int, _ secret: Secret) {
                _ = active.renew(
                    phone.proof(at: Example.after(second), pin: secret), of: session.id, as: .unlock,
                    at: Example.after(second), rules)
            }
            if self == .used { active.noteUse(at: Example.after(2), rules) }
            if ![.begun, .used].contains(self) {
                _ = active.setPIN(pin, phone.proof(at: Example.start), of: session.id, at: Example.after(3), rules)
            }
            if self == .unlocked { play(4, SessionSealTests.pin) }
            if self == .wrongPIN { for second in 4..<7 { play(second, SessionSealTests.random) } }
            if self == .lockedOut { for second in 4..<9 { play(second, SessionSealTests.random) } }
            session.state = .active(active)
            if self == .ended { _ = session.end(at: Example.after(9)) }
            if self == .expired { _ = session.lapse(at: Example.days(31), rules) }
            return session
        }
    }

    private static let phone = Result { try Phone() }

    @Test(arguments: Stage.allCases) func `a row gives back its session`(_ stage: Stage) throws {
        var session = try stage.session()
        session.revision = 7
        let row = SessionSeal.seal(session, under: Example.key)
        let opened = try SessionSeal.open(row, keys: #require(SessionKeys([SessionKey.make(), Example.key])))
        session.person = row.person
        #expect(opened == session)
        #expect(row.due == session.due)
        #expect(row.revision == 7)
        #expect(row.keyID == Example.key.id)
        if session.active != nil {
            #expect(row.person == Example.key.person(app: Example.app, subject: Secret("19121212-1212")))
        }
        // What was opened and sealed again says the same.
        #expect(
            try SessionSeal.open(
                SessionSeal.seal(opened, under: Example.key), keys: #require(SessionKeys([Example.key]))) == opened)
    }

    /// Part 6: no national id, and nothing by which a thief could act.
    @Test(arguments: Stage.allCases) func `a row shows no secret`(_ stage: Stage) throws {
        let row = SessionSeal.seal(try stage.session(), under: Example.key)
        for secret in [Array("19121212-1212".utf8), Self.pin.exposed, Self.random.exposed] {
            #expect(!row.bytes.indices.contains { row.bytes[$0...].starts(with: secret) })
        }
        #expect(row.bytes.count < 1024)
    }

    @Test func `a tombstone keeps nothing`() throws {
        let ended = try Stage.ended.session()
        let row = SessionSeal.seal(ended, under: Example.key)
        #expect(row.bytes.count < 120)
        #expect(!String(decoding: row.bytes, as: UTF8.self).contains("mitid"))
    }

    @Test func `every changed byte of a row is seen`() throws {
        let keys = try #require(SessionKeys([Example.key]))
        let row = SessionSeal.seal(try Stage.wrongPIN.session(), under: Example.key)
        for index in row.bytes.indices {
            var bytes = row.bytes
            bytes[index] ^= 1
            let forged = SealedSession(
                id: row.id, revision: row.revision, due: row.due, person: row.person, keyID: row.keyID, bytes: bytes)
            #expect(throws: RowError.self) { try SessionSeal.open(forged, keys: keys) }
        }
        for count in [0, 7, 8, 40, 41, 100, row.bytes.count - 1] {
            let short = SealedSession(
                id: row.id, revision: row.revision, due: row.due, person: row.person, keyID: row.keyID,
                bytes: Array(row.bytes.prefix(count)))
            #expect(throws: RowError.self) { try SessionSeal.open(short, keys: keys) }
        }
    }

    @Test func `every changed column is seen`() throws {
        let (key, other) = (Example.key, SessionKey.make())
        let keys = try #require(SessionKeys([key, other]))
        let row = SessionSeal.seal(try Stage.unlocked.session(), under: key)
        let id = SessionID(app: "another", thumbprint: "key")
        let forged = [
            SealedSession(
                id: id, revision: row.revision, due: row.due, person: row.person, keyID: row.keyID, bytes: row.bytes),
            SealedSession(
                id: row.id, revision: row.revision + 1, due: row.due, person: row.person, keyID: row.keyID,
                bytes: row.bytes),
            SealedSession(
                id: row.id, revision: row.revision, due: row.due + .milliseconds(1), person: row.person,
                keyID: row.keyID, bytes: row.bytes),
            SealedSession(
                id: row.id, revision: row.revision, due: row.due, person: other.person(app: "a", subject: Secret("b")),
                keyID: row.keyID, bytes: row.bytes),
            SealedSession(
                id: row.id, revision: row.revision, due: row.due, person: row.person, keyID: other.id, bytes: row.bytes),
            SealedSession(
                id: row.id, revision: row.revision, due: row.due, person: row.person, keyID: other.id,
                bytes: other.id + row.bytes.dropFirst(8)),
        ]
        for row in forged { #expect(throws: RowError.forged) { try SessionSeal.open(row, keys: keys) } }
    }

    @Test func `a retired key is reported as one`() throws {
        let row = SessionSeal.seal(try Stage.begun.session(), under: Example.key)
        #expect(throws: RowError.retiredKey) {
            try SessionSeal.open(row, keys: #require(SessionKeys([SessionKey.make()])))
        }
    }

    @Test(arguments: 0..<300) func `no changed row traps`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var fields = SessionCodec.encode(try Stage.allCases[Int(seed) % Stage.allCases.count].session()) { $0 }
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            fields[Int.random(in: fields.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let cut = Array(fields.prefix(Int.random(in: 0...fields.count, using: &random)))
        _ = try? SessionCodec.decode(cut, open: { $0 })
    }

    /// Values as another program computed them. Rows contain them, and servers of two versions share a store.
    @Test func `the derived values never change`() throws {
        let key = try #require(SessionKey(Secret(Array(0..<32))))
        #expect(
            SessionID(app: "demo", thumbprint: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I").text == KnownValue.session
        )
        #expect(Self.hex(key.id) == KnownValue.keyID)
        #expect(Self.hex(key.person(app: "demo", subject: Secret("alva"))) == KnownValue.person)
        #expect(DPoPNonce.make(at: Example.start, under: key) == KnownValue.nonce)
        let pin = PINSecret.proof(
            Secret(Array(32..<64)), of: try #require(SessionID(KnownValue.session)), nonce: KnownValue.nonce, jti: "one"
        )
        #expect(Self.hex(pin) == KnownValue.pinProof)
    }

    @Test func `the bytes of a row never change`() throws {
        let key = try #require(SessionKey(Secret(Array(0..<32))))
        var session = Session(
            id: try #require(SessionID(KnownValue.session)), app: "demo",
            state: .ended(at: Example.start, loginsUntil: Example.after(9)))
        session.revision = 7
        session.person = key.person(app: "demo", subject: Secret("alva"))
        let row = SessionSeal.seal(session, under: key)
        #expect(Self.hex(row.bytes) == KnownValue.row)
        #expect(try SessionSeal.open(row, keys: #require(SessionKeys([key]))) == session)
    }

    /// Not even when one secret is the key of both, and the row names the key of the other kind.
    @Test func `a row of one kind never opens as another`() throws {
        let secret = Secret(Array(0..<32))
        let (loginKey, sessionKey) = (try #require(ServerKey(secret)), try #require(SessionKey(secret)))
        let session = SessionSeal.seal(try Stage.ended.session(), under: sessionKey)
        let login = SealedLogin(
            id: try #require(LoginID(session.id.text)), revision: session.revision, due: session.due, isOpen: false,
            bytes: loginKey.id + session.bytes.dropFirst(8))
        #expect(throws: RowError.forged) { try LoginSeal.open(login, keys: #require(ServerKeys([loginKey]))) }
        let marked = SealedSession(
            id: session.id, revision: session.revision, due: session.due, person: session.person,
            keyID: sessionKey.id,
            bytes: SealedRow.seal([1], keyID: sessionKey.id, by: loginKey.mac) { $0.append(session.id.bytes) })
        #expect(throws: RowError.forged) { try SessionSeal.open(marked, keys: #require(SessionKeys([sessionKey]))) }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
