import Base
import Cryptography
import JOSE
import StrictJSON

/// The records of one start of a server, each with its number and the hash of the one before: a pure value.
///
/// A record is one line of JSON. Its hash is over the bytes of the line, without the line end.
package struct AuditChain: Sendable {
    /// `typ` of the signatures, so that no other token of ours passes as one (RFC 8725 §3.11).
    package static let signatureType = "audit+jws"
    private static let idByteCount = 12

    package let id: String
    /// The number of the last record. The first record has number 1.
    package private(set) var number = 0
    /// The hash of the last record; nil before the first.
    package private(set) var head: String?

    package init(id: String = Base64URL.encode(RandomBytes.make(Self.idByteCount))) { self.id = id }

    package static func hash(_ line: [UInt8]) -> String { Base64URL.encode(Digest.sha256.hash(line)) }

    /// Returns the next record, with a line end.
    package mutating func record(_ event: AuditEvent, at time: Timestamp) -> [UInt8] {
        var line = JSONObjectWriter()
        line.add("chain", self.id)
        line.add("number", self.number + 1)
        line.add("time", time.rfc3339)
        line.add("event", event.name)
        event.write(into: &line)
        line.add("previous", orNull: self.head)
        var bytes = line.finish()
        self.number += 1
        self.head = Self.hash(bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Returns the next record, which signs every record before it. Nil if the key cannot sign, with nothing changed.
    package mutating func signature(
        by signer: JWTSigner, closing: AuditEvent.Closing? = nil, at time: Timestamp
    ) -> [UInt8]? {
        let payload = Self.payload(
            chain: self.id, number: self.number + 1, previous: self.head, time: time.rfc3339,
            closes: closing?.rawValue)
        guard let token = try? signer.sign(payload: payload, type: Self.signatureType) else { return nil }
        return self.record(.signed(closes: closing, token: String(decoding: token, as: UTF8.self)), at: time)
    }

    /// Returns a record with a signature as a chain writes it, without the line end.
    static func signature(
        chain: String, number: Int, previous: String?, closing: AuditEvent.Closing?, token: String, at time: Timestamp
    ) -> [UInt8] {
        var former = AuditChain(id: chain)
        former.number = number - 1
        former.head = previous
        return former.record(.signed(closes: closing, token: token), at: time).dropLast()
    }

    /// What is signed: what the record says, except for the signature.
    static func payload(chain: String, number: Int, previous: String?, time: String, closes: String?) -> [UInt8] {
        var payload = JSONObjectWriter()
        payload.add("chain", chain)
        payload.add("number", number)
        payload.add("time", time)
        payload.add("closes", orNull: closes)
        payload.add("previous", orNull: previous)
        return payload.finish()
    }
}
