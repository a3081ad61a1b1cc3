import Attestation
import AttestedPhones
import Testing

/// Rows of tables of attestations: what is changed in one that was right, and what the verdict is then.
struct ChangedAttestation<Stage: Sendable, Outcome: Sendable>: Sendable, CustomTestStringConvertible {
    let name: String
    let outcome: Outcome
    let change: @Sendable (inout Stage) throws -> Void

    init(_ name: String, _ outcome: Outcome, _ change: @escaping @Sendable (inout Stage) throws -> Void) {
        self.name = name
        self.outcome = outcome
        self.change = change
    }

    var testDescription: String { self.name }
}

typealias Refused<Stage: Sendable> = ChangedAttestation<Stage, Refusal>
typealias Accepted<Stage: Sendable> = ChangedAttestation<Stage, Evidence>
