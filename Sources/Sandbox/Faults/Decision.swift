/// What a person does on a page.
enum Decision: String, Sendable {
    case approve
    case cancel
    /// Nobody decides before the time is up.
    case timeOut = "time-out"
    /// The code is being typed: only BankID's app tells that.
    case sign
    /// Approved, and nobody is ever told.
    case silence
}
