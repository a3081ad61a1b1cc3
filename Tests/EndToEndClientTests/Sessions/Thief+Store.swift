// Thieves who read the store, write to it, or put an old copy of it back.

import Base
import Foundation
import GRDB
import PhoneKeys
import StrictJSON
import Testing

extension Thief {
    static let ofTheStore = [
        Thief(
            "a copy of the database",
            gets: "no token, no PIN secret and no `sub`: these are encrypted, and users are found by an HMAC. "
                + "It shows when sessions were used, on which platform, with which provider",
            Self.reader),
        Thief(
            "write access to the database",
            gets: "no token. They can remove sessions, and put an older row back: that undoes a sign-out and gives "
                + "tries back",
            Self.writer),
        Thief(
            "an old backup that somebody restores",
            gets: "the same, for all rows: set `sessions.valid_from` after a restore", Self.backup),
    ]

    private static func reader() async throws {
        // SealedSessionTests searches at every step, in PostgreSQL too.
        let stage = try await SealedStage(hasSessions: true)
        let phone = try await Self.phone(stage)
        let pin = PlantedSecret("the PIN's secret", phone.pin.exposed)
        let secrets = try PlantedSecret.ofSession(phone.app) + [pin]
        for (name, contents) in try stage.files() {
            for secret in secrets { #expect(secret.form(in: contents) == nil, "\(secret.name) in \(name)") }
        }
        await stage.stop()
    }

    private static func writer() async throws {
        let stage = try await SealedStage(hasSessions: true)
        let (mine, theirs) = (try await Self.phone(stage), try await Self.phone(stage))
        let (own, other) = (try Self.row(mine, stage), try Self.row(theirs, stage))

        // Tries come back, and so does a session that was ended.
        #expect(try await Self.triesLeft(mine) == 4)
        #expect(try await Self.triesLeft(mine) == 3)
        try await own.write(to: stage)
        #expect(try await Self.triesLeft(mine) == 4)
        #expect(try await mine.app.send(mine.app.revocation()).status == 200)
        #expect(try await mine.app.send({ try mine.app.renewal() }).brief == "400 invalid_grant")
        try await own.write(to: stage)
        #expect(try await mine.app.send({ try mine.app.renewal() }).status == 200)

        // Nothing that the server did not write is believed.
        let forged: [(String, (inout SessionRow) -> Void)] = [
            ("another's content", { $0.bytes = other.bytes }),
            ("another's content and columns", { $0.take(other) }),
            ("another person", { $0.person = Data(RandomBytes.make($0.person.count)) }),
            ("a later end", { $0.due += 1_000_000_000 }),
            ("a byte of the secrets", { $0.bytes[$0.bytes.count / 2] ^= 1 }),
            ("a byte of the MAC", { $0.bytes[$0.bytes.count - 1] ^= 1 }),
            ("half of it", { $0.bytes = $0.bytes.prefix($0.bytes.count / 2) }),
            ("nothing in it", { $0.bytes = Data() }),
        ]
        for (name, forge) in forged {
            var row = own
            forge(&row)
            try await row.write(to: stage)
            let before = stage.durable.log.count
            #expect(try await mine.app.send({ try mine.app.renewal() }).brief == "400 invalid_grant", "\(name)")
            _ = try await stage.durable.says("\"session_row_refused\"", after: before)
        }

        // A removed session is signed out. Nobody else notices.
        try await own.write(to: stage, removing: true)
        #expect(try await mine.app.send({ try mine.app.renewal() }).brief == "400 invalid_grant")
        #expect(try await Self.triesLeft(theirs) == 4)
        #expect(try await theirs.app.send({ try theirs.app.listing() }).json?["sessions"]?.array?.count == 1)
        await stage.stop()
    }

    private static func backup() async throws {
        let stage = try await SealedStage(hasSessions: true)
        let (phone, lost) = (try await Self.phone(stage), try await Self.phone(stage))
        stage.kill()
        let backup = try Self.copy(stage)
        try await stage.start()
        #expect(try await Self.triesLeft(phone) == 4)
        #expect(try await lost.app.send(lost.app.revocation()).status == 200)
        #expect(try await lost.app.send({ try lost.app.renewal() }).brief == "400 invalid_grant")

        stage.kill()
        try Self.restore(backup, stage)
        try await stage.start()
        #expect(try await Self.triesLeft(phone) == 4, "the try was given back")
        #expect(try await lost.app.send({ try lost.app.renewal() }).status == 200, "the lost phone is back")

        stage.kill()
        try Self.restore(backup, stage)
        // The setting has whole seconds.
        let validFrom = WallClock.now() + .seconds(1)
        try await stage.start(sessions: "valid_from: \"\(validFrom.wholeSecondRFC3339)\"")
        while WallClock.now() < validFrom { try await Task.sleep(for: .milliseconds(10)) }
        for one in [phone, lost] {
            #expect(try await one.app.send({ try one.app.renewal() }).brief == "400 invalid_grant")
            #expect(try await one.app.send({ try one.app.renewal(pin: one.pin) }).brief == "400 invalid_grant")
        }
        // A new login helps, with the same key.
        try await stage.session(phone.app)
        #expect(try await phone.app.send({ try phone.app.renewal() }).status == 200)
        await stage.stop()
    }

    // MARK: - The owner

    private struct Owner: Sendable {
        let app: SessionPhone
        let pin: Secret
    }

    private static func phone(_ stage: SealedStage) async throws -> Owner {
        let owner = Owner(app: try SessionPhone(stage.durable.url), pin: Secret(RandomBytes.make(32)))
        try await stage.session(owner.app)
        #expect(try await owner.app.send({ try owner.app.settingPIN(owner.pin) }).status == 204)
        #expect(try await owner.app.send({ try owner.app.renewal(pin: owner.pin) }).status == 200)
        return owner
    }

    /// Types a wrong PIN, and returns how many tries are left.
    private static func triesLeft(_ owner: Owner) async throws -> Int? {
        let wrong = Secret(RandomBytes.make(32))
        return try await owner.app.send({ try owner.app.renewal(pin: wrong) }).json?["tries_left"]?.integer
    }

    // MARK: - The store

    private static func row(_ owner: Owner, _ stage: SealedStage) throws -> SessionRow {
        let id = Data(try #require(Base64URL.decode(owner.app.session)))
        let database = try stage.writer()
        defer { try? database.close() }
        return try #require(try database.read { try SessionRow(id, in: $0) })
    }

    /// The files of a stopped server, by path.
    private static func copy(_ stage: SealedStage) throws -> [String: Data] {
        let path = stage.durable.database
        return Dictionary(
            uniqueKeysWithValues: ["", "-wal", "-shm"].compactMap { end in
                (try? Data(contentsOf: URL(filePath: path + end))).map { (path + end, $0) }
            })
    }

    private static func restore(_ backup: [String: Data], _ stage: SealedStage) throws {
        for end in ["", "-wal", "-shm"] {
            let path = stage.durable.database + end
            try? FileManager.default.removeItem(atPath: path)
            try backup[path]?.write(to: URL(filePath: path))
            if backup[path] != nil { chmod(path, 0o600) }
        }
    }
}

/// A row of `sessions` as an attacker reads and writes it.
private struct SessionRow: Sendable {
    let id: Data
    var revision: Int64
    var due: Int64
    var person: Data
    var keyID: Data
    var bytes: Data

    init?(_ id: Data, in database: Database) throws {
        let sql = "SELECT revision, due, person, key_id, bytes FROM sessions WHERE id = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { return nil }
        self.id = id
        (self.revision, self.due, self.person, self.keyID, self.bytes) = (row[0], row[1], row[2], row[3], row[4])
    }

    /// Takes everything but the id from another row.
    mutating func take(_ other: SessionRow) {
        (self.revision, self.due) = (other.revision, other.due)
        (self.person, self.keyID, self.bytes) = (other.person, other.keyID, other.bytes)
    }

    /// Writes the row and restarts the server, which would have the old one in memory.
    func write(to stage: SealedStage, removing: Bool = false) async throws {
        stage.kill()
        try self.write(with: try stage.writer(), removing: removing)
        try await stage.start()
    }

    private func write(with queue: DatabaseQueue, removing: Bool) throws {
        defer { try? queue.close() }
        try queue.write { database in
            try database.execute(sql: "DELETE FROM sessions WHERE id = ?", arguments: [self.id])
            guard !removing else { return }
            try database.execute(
                sql: "INSERT INTO sessions (id, revision, due, person, key_id, bytes) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [self.id, self.revision, self.due, self.person, self.keyID, self.bytes])
        }
    }
}
