/// What the user chose on a page: the test user, the decision and the fault.
struct PageChoice: Sendable {
    let person: SandboxIdentity
    let decision: Decision
    let fault: SandboxFault?
    /// Whether the user wants to be remembered in this browser.
    let isToBeRemembered: Bool

    /// The field of the tick.
    static let remember = "remember"

    /// Returns nil for a form that is not ours.
    init?(_ form: Parameters, at eID: SandboxEID, among decisions: Set<Decision>, of faults: [SandboxFault]) {
        guard let decision = form["decision"].flatMap(Decision.init), decisions.contains(decision),
            let person = form["person"].map(SandboxIdentity.named) ?? eID.users.first
        else { return nil }
        if let name = form["fault"] {
            guard let fault = faults.first(where: { $0.names.contains(name) }) else { return nil }
            self.fault = fault
        } else {
            self.fault = nil
        }
        self.person = person
        self.decision = decision
        self.isToBeRemembered = form[Self.remember] != nil
    }
}
