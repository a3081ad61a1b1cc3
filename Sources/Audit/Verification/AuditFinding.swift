import Base

/// What is wrong with an audit.
package enum AuditFinding: Equatable, Sendable {
    case changed(AuditPlace, Change)
    /// There are no records with these numbers.
    case missing(chain: String, ClosedRange<Int>, before: AuditPlace)
    /// All records of a chain are missing that a server found when it started.
    case missingChain(String, before: AuditPlace)
    /// The same record stands there twice.
    case doubled(AuditPlace, number: Int, chain: String)
    /// A record stands before one that it follows.
    case reordered(AuditPlace, number: Int, late: AuditPlace, expected: Int)
    /// A server started before the chain that it found.
    case reorderedChain(AuditPlace, chain: String, late: AuditPlace)
    case cutOff(AuditPlace?, Cut)
    /// A signature was made with a key that is not among the trusted ones.
    case unknownKey(AuditPlace, keyID: String?)

    package enum Change: Equatable, Sendable {
        /// The line is no record.
        case unreadable
        /// The record does not follow the one before, or that one is not what it was.
        case link(former: AuditPlace)
        case number
        /// The record names a chain that has no beginning.
        case chain
        /// Another record with this number stands at its place.
        case copy
        /// A record follows the last one of its chain.
        case afterEnd
        /// The signature does not fit the records before it. Those up to `signed` are as they were.
        case signature(signed: AuditPlace?)
        /// A server found other records when it started.
        case beforeStart(former: AuditPlace)
    }

    package enum Cut: Equatable, Sendable {
        /// The last line has no end.
        case insideRecord
        /// The last signature is older than it can be while the server runs.
        case noSignature(chain: String, number: Int, since: Timestamp)
        /// A server found a later record when it started.
        case foundByStart(chain: String, number: Int, found: Int)
    }

    /// One status for each kind, so that scripts can tell them apart.
    package var exitStatus: Int32 {
        switch self {
        case .changed: 10
        case .missing, .missingChain: 11
        case .doubled: 12
        case .reordered, .reorderedChain: 13
        case .cutOff: 14
        case .unknownKey: 15
        }
    }
}

extension AuditFinding: CustomStringConvertible {
    package var description: String {
        switch self {
        case .changed(let place, let change): "\(place): changed: \(change)"
        case .missing(let chain, let numbers, let place):
            numbers.count == 1
                ? "\(place): missing: record \(numbers.lowerBound) of chain \(chain) should stand before this line"
                : "\(place): missing: records \(numbers.lowerBound) to \(numbers.upperBound) of chain \(chain) should stand before this line"
        case .missingChain(let chain, let place):
            "\(place): missing: this server started after chain \(chain), and none of its records is here"
        case .doubled(let place, let number, let chain):
            "\(place): doubled: record \(number) of chain \(chain) stands here for the second time"
        case .reordered(let place, let number, let late, let expected):
            "\(place): reordered: record \(number) stands here before record \(expected), which is at \(late)"
        case .reorderedChain(let place, let chain, let late):
            "\(place): reordered: this server started after chain \(chain), which begins later, at \(late)"
        case .cutOff(let place, let cut): (place.map { "\($0): " } ?? "") + "cut off: \(cut)"
        case .unknownKey(let place, let keyID):
            "\(place): not trusted: the signature names the key \(keyID ?? "without a name"), which you do not trust. If it is yours, name the file of its public key with --keys"
        }
    }
}

extension AuditFinding.Change: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable: "the line is no record"
        case .link(let former): "the record does not follow the one at \(former). One of the two was changed"
        case .number: "the record follows the one before it, and has another number"
        case .chain: "the record names a chain that does not begin here"
        case .copy: "another record with this number stands at its place"
        case .afterEnd: "the record follows the last one of its chain"
        case .signature(let signed?):
            "the signature does not fit the records before it. They are as they were up to \(signed)"
        case .signature(nil): "the signature does not fit the records before it"
        case .beforeStart(let former):
            "the server that started here found another record than the one at \(former)"
        }
    }
}

extension AuditFinding.Cut: CustomStringConvertible {
    package var description: String {
        switch self {
        case .insideRecord: "the last line is not whole"
        case .noSignature(let chain, let number, let since):
            "chain \(chain) ends with record \(number) and is signed until \(since.rfc3339). A running server signs every minute, and one that stops signs its end. Either it was killed, or the records after these are missing"
        case .foundByStart(let chain, let number, let foundNumber):
            "chain \(chain) ends with record \(number), and the server that started here found record \(foundNumber)"
        }
    }
}

/// A line of a file.
package struct AuditPlace: Equatable, Sendable, CustomStringConvertible {
    package let file: String
    package let line: Int

    package init(_ file: String, line: Int) {
        self.file = file
        self.line = line
    }

    package var description: String { "\(self.file):\(self.line)" }
}
