/// What the user does on a page.
enum Decision: String, Sendable {
    case approve
    case cancel
    /// The user does not decide in time.
    case timeOut = "time-out"
    /// The user is typing the code. Only BankID's app reports that.
    case sign
    /// The user approves, but the relying party is never told.
    case silence
}
