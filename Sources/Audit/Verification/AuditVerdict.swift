import Base

/// What a verifier has found.
package struct AuditVerdict: Equatable, Sendable {
    /// The first thing that is wrong; nil if the audit is whole.
    package let finding: AuditFinding?
    package let notes: [Note]
    package let records: Int
    package let chains: Int

    /// What an auditor should know although nothing is wrong.
    package enum Note: Equatable, Sendable {
        /// The chain begins in a file that was not given.
        case earlierFile(chain: String, first: Int)
        /// The chain goes on in a file that was not given.
        case laterFile(chain: String, last: Int)
        case unsigned(chain: String, count: Int, since: Timestamp)
        /// The server was killed, or could not sign its end. The next one found its records as they are.
        case killed(chain: String, last: Int, unsigned: Int)
        /// The server was killed while it wrote this line.
        case torn(AuditPlace)
        /// Records are missing because the server could not write them, as it says itself.
        case gap(AuditPlace, dropped: Int, refused: Int)
        /// The signatures were checked with the keys that the audit names itself.
        case ownKeys([String])
    }
}

extension AuditVerdict.Note: CustomStringConvertible {
    package var description: String {
        switch self {
        case .earlierFile(let chain, let first):
            "records 1 to \(first - 1) of chain \(chain) are in an earlier file. Name it too to check them"
        case .laterFile(let chain, let last):
            "the records after \(last) of chain \(chain) are in a later file. Name it too to check them"
        case .unsigned(let chain, let count, let since):
            "the last \(count == 1 ? "record" : "\(count) records") of chain \(chain), since \(since.rfc3339), \(count == 1 ? "is" : "are") not signed yet"
        case .killed(let chain, let last, let unsigned):
            "chain \(chain) ends with record \(last) without a signature of its end, because the server was killed or could not write. \(unsigned == 0 ? "All of its records are signed" : "The last \(unsigned) are not signed"), and the next start found the same end"
        case .torn(let place): "\(place): the server was killed while it wrote this line, as the next one says"
        case .gap(let place, let dropped, let refused):
            "\(place): the server could not write: \(dropped) records were dropped, and \(refused) steps were refused"
        case .ownKeys(let keyIDs):
            "the signatures fit the keys that the audit names itself (\(keyIDs.joined(separator: ", "))). Compare them with yours, or name the file of yours with --keys"
        }
    }
}
