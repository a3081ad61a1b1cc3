import Foundation
import GRDB

@testable import Logins

/// A row of the store as an attacker sees it, with the parts worth changing.
struct StoredRow: Equatable, Sendable {
    static let keyIDCount = 8
    static let macCount = 32

    /// The id of the login; `column` is the id that the attacker writes.
    let id: Data
    var column: Data
    var revision: Int64
    var due: Int64
    var isOpen: Bool
    var bytes: Data

    init?(_ id: Data, in database: Database) throws {
        let sql = "SELECT revision, due, is_open, bytes FROM login WHERE id = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { return nil }
        (self.id, self.column) = (id, id)
        (self.revision, self.due, self.isOpen, self.bytes) = (row[0], row[1], row[2], row[3])
    }

    func write(to database: Database) throws {
        try database.execute(
            sql: "INSERT INTO login (id, revision, due, is_open, bytes) VALUES (?, ?, ?, ?, ?)",
            arguments: [self.column, self.revision, self.due, self.isOpen, self.bytes])
    }

    // MARK: - What the attacker can read and replace

    var keyID: Data { self.bytes.prefix(Self.keyIDCount) }
    var mac: Data { self.bytes.suffix(Self.macCount) }

    var login: Login {
        get throws {
            try LoginCodec.decode(Array(self.bytes.dropFirst(Self.keyIDCount).dropLast(Self.macCount)))
        }
    }

    var attemptCount: Int { get throws { try self.login.attempts.count } }

    /// Changes fields under the existing MAC.
    mutating func change(_ body: (inout Login) throws -> Void) throws {
        var login = try self.login
        try body(&login)
        self.put(login)
    }

    /// Replaces the fields under the existing MAC or another one.
    mutating func put(_ login: Login, mac: Data? = nil) {
        self.bytes = self.keyID + Data(LoginCodec.encode(login)) + (mac ?? self.mac)
    }

    /// Changes the one field that a login never changes: its byte precedes the time of creation.
    mutating func put(release: ReleasePolicy) throws {
        var fields = LoginCodec.encode(try self.login)
        var time = ByteWriter(numbers: .packed)
        time.write(try self.login.createdAt.milliseconds)
        guard let index = Data(fields).range(of: Data(time.bytes))?.lowerBound else { return }
        fields[index - 1] = release.rawValue
        self.bytes = self.keyID + Data(fields) + self.mac
    }

    /// Takes everything but the id from another row.
    mutating func take(_ other: StoredRow) {
        (self.revision, self.due, self.isOpen, self.bytes) = (other.revision, other.due, other.isOpen, other.bytes)
    }
}
