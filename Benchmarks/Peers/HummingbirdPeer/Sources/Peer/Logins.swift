import Crypto
import Foundation
import Hummingbird
import Synchronization

/// The logins: a dictionary behind a lock, and the requests that wait for them.
final class Logins: Sendable {
    private struct Contents {
        var rows: [[UInt8]: Row] = [:]
        var waiting: [[UInt8]: CheckedContinuation<Void, Never>] = [:]
    }

    private let contents = Mutex(Contents())
    private let (wrap, mac, go) = (
        SymmetricKey(size: .bits256), SymmetricKey(size: .bits256), SymmetricKey(size: .bits256)
    )

    func create(_ body: Create) throws -> Answer {
        guard let bytes = Bytes.decode(body.poll_secret), bytes.count == 32 else { throw HTTPError(.badRequest) }
        let secret = SymmetricKey(data: bytes)
        let id = Array(Bytes.code("id", key: secret).prefix(16))
        let outcome = Bytes.code("outcome", id, key: secret)
        var row = Row(
            provider: body.provider, createdAt: Int64(Date().timeIntervalSince1970 * 1000),
            pollVerifier: Bytes.code("poll", id, key: secret),
            bodyVerifier: Bytes.code("body", Array("\(body.app ?? "demo") \(body.provider)".utf8), key: secret),
            wrappedKey: zip(outcome, Bytes.code("", id, key: self.wrap)).map { $0 ^ $1 })
        row.mac = Bytes.code("", row.bytes(of: id), key: self.mac)
        self.contents.withLock { $0.rows[id] = row }
        return self.answer(id, row)
    }

    /// Returns the login if this is its secret and its row is unchanged.
    func login(_ id: [UInt8], _ secret: SymmetricKey) throws -> Row {
        guard let row = self.contents.withLock({ $0.rows[id] }),
            row.mac == Bytes.code("", row.bytes(of: id), key: self.mac),
            row.pollVerifier == Bytes.code("poll", id, key: secret)
        else { throw HTTPError(.notFound) }
        return row
    }

    /// Waits until the login changes.
    func wait(for id: [UInt8], from version: Int) async {
        await withCheckedContinuation { continuation in
            let isNew = self.contents.withLock { contents in
                guard contents.rows[id]?.version == version else { return false }
                contents.waiting[id] = continuation
                return true
            }
            if !isNew { continuation.resume() }
        }
    }

    func cancel(_ id: [UInt8], _ secret: SymmetricKey) throws -> Answer {
        var row = try self.login(id, secret)
        row.version += 1
        row.isCancelled = true
        row.mac = Bytes.code("", row.bytes(of: id), key: self.mac)
        let waiting = self.contents.withLock { [row] contents in
            contents.rows[id] = row
            return contents.waiting.removeValue(forKey: id)
        }
        waiting?.resume()
        return self.answer(id, row)
    }

    func answer(_ id: [UInt8], _ row: Row) -> Answer {
        let letters = Array("ABCDEFGHJKMNPQRSTVWXYZ23456789".utf8)
        let reference = SHA256.hash(data: Array("reference".utf8) + id).prefix(8).map {
            letters[Int($0) % letters.count]
        }
        let token = Bytes.base64URL(id + Bytes.code("go", id, key: self.go).prefix(16))
        let date = Date(timeIntervalSince1970: Double(row.createdAt) / 1000 + 3600)
        return Answer(
            id: Bytes.base64URL(id), status: row.isCancelled ? "cancelled" : "pending", final: row.isCancelled,
            version: row.version, provider: row.provider, reference: String(decoding: reference, as: UTF8.self),
            expires_at: date.formatted(.iso8601),
            next: row.isCancelled ? nil : Answer.Next(url: "http://127.0.0.1/go/\(token)"))
    }
}
