/// A row of a table of refusals: what is changed in an attestation that was right, and why it is refused then.
import Attestation
import AttestedPhones
import Testing

struct Refused<Stage: Sendable>: Sendable, CustomTestStringConvertible {
    let name: String
    let refusal: Refusal
    let change: @Sendable (inout Stage) throws -> Void

    init(_ name: String, _ refusal: Refusal, _ change: @escaping @Sendable (inout Stage) throws -> Void) {
        self.name = name
        self.refusal = refusal
        self.change = change
    }

    var testDescription: String { self.name }
}

/// A row of a table of attestations that differ from the usual one and are accepted.
struct Accepted<Stage: Sendable>: Sendable, CustomTestStringConvertible {
    let name: String
    let evidence: Evidence
    let change: @Sendable (inout Stage) throws -> Void

    init(_ name: String, _ evidence: Evidence, _ change: @escaping @Sendable (inout Stage) throws -> Void) {
        self.name = name
        self.evidence = evidence
        self.change = change
    }

    var testDescription: String { self.name }
}
