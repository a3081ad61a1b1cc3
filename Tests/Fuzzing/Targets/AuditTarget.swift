import Audit
import Base

/// A file of the audit: what is found is the same however the bytes come, and a whole audit is not whole with a record
/// twice.
enum AuditTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let verdict = Self.verdict(input, inPartsOf: max(1, input.count))
        for size in [1, 7, 64] {
            try require(Self.verdict(input, inPartsOf: size) == verdict, "another verdict in parts of \(size) bytes")
        }
        guard verdict.finding == nil else { return .refused }
        guard let start = input.dropLast().lastIndex(of: UInt8(ascii: "\n")) else {
            return verdict.records == 0 ? .refused : .accepted
        }
        let doubled = input + input[(start + 1)...]
        try require(Self.verdict(doubled, inPartsOf: doubled.count).finding != nil, "whole with a record twice")
        return .accepted
    }

    private static func verdict(_ input: [UInt8], inPartsOf size: Int) -> AuditVerdict {
        var verifier = AuditVerifier()
        verifier.beginFile("audit")
        var reader = AuditLineReader()
        var rest = input[...]
        while !rest.isEmpty {
            reader.read(rest.prefix(size)) { verifier.read($0) }
            rest = rest.dropFirst(size)
        }
        verifier.endFile(rest: reader.rest)
        // Before every record, so that no end is too old.
        return verifier.verdict(at: Timestamp(seconds: 0))
    }
}
