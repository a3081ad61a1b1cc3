/// The beginnings of the hashes of a chain's records, to know a record that stands there again.
///
/// It is no part of `ChainProgress`, so that it grows in its place and is never copied.
struct RecordCopies: Sendable {
    private let first: Int
    private var beginnings: [UInt64]

    init(_ line: AuditLine) {
        self.first = line.number
        self.beginnings = [Self.beginning(line.hash)]
    }

    mutating func append(_ line: AuditLine) { self.beginnings.append(Self.beginning(line.hash)) }

    /// Whether the line is the record of its number that was read before.
    func contains(_ line: AuditLine) -> Bool {
        let index = line.number - self.first
        return self.beginnings.indices.contains(index) && self.beginnings[index] == Self.beginning(line.hash)
    }

    private static func beginning(_ hash: String) -> UInt64 {
        hash.utf8.prefix(11).reduce(0) { ($0 &* 64) &+ UInt64($1) }
    }
}
