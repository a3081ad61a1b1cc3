import Base
import JOSE

/// How far the verifier has followed a chain.
struct ChainProgress: Sendable {
    /// The number of the first record that was read.
    let first: Int
    private(set) var number: Int
    private(set) var hash: String
    private(set) var place: AuditPlace
    private(set) var time: Timestamp
    private(set) var closing: AuditEvent.Closing?
    /// The last record that is signed, and the time of its signature.
    private(set) var signed: (number: Int, at: Timestamp, place: AuditPlace)?
    /// The time of the first record that is not signed.
    private(set) var unsignedSince: Timestamp
    /// Whether a server that started later found this end.
    var isFoundByStart = false
    /// The keys that the records name.
    private(set) var keys: [JWK] = []

    init(_ line: AuditLine, at place: AuditPlace) {
        self.first = line.number
        self.number = line.number
        self.hash = line.hash
        self.place = place
        self.time = line.time
        self.unsignedSince = line.time
        self.note(line)
    }

    mutating func follow(_ line: AuditLine, at place: AuditPlace) {
        if self.signed?.number == self.number { self.unsignedSince = line.time }
        self.number = line.number
        self.hash = line.hash
        self.place = place
        self.time = line.time
        self.note(line)
    }

    mutating func noteSignature(_ closing: AuditEvent.Closing?) {
        self.signed = (self.number, self.time, self.place)
        self.closing = closing
    }

    private mutating func note(_ line: AuditLine) {
        self.closing = nil
        guard let key = line.members["key"], let jwk = try? JWK(key), jwk.keyID != nil else { return }
        if !self.keys.contains(where: { $0.keyID == jwk.keyID }) { self.keys.append(jwk) }
    }
}
