/// What the person may have to do now, as far as the broker tells it: a closed list, in the words of the Swedish BankID.
package enum Hint: String, CaseIterable, Sendable {
    /// The e-ID's app has not been opened.
    case outstandingTransaction = "outstanding_transaction"
    /// The app has not answered yet.
    case noClient = "no_client"
    case started
    /// A passport or an identity card is to be read.
    case userMRTD = "user_mrtd"
    case userCallConfirm = "user_call_confirm"
    /// The app waits for the person's code.
    case userSign = "user_sign"

    /// As BankID spells it; nil for one that we do not know.
    init?(bankID code: String) {
        switch code {
        case "outstandingTransaction": self = .outstandingTransaction
        case "noClient": self = .noClient
        case "started": self = .started
        case "userMrtd": self = .userMRTD
        case "userCallConfirm": self = .userCallConfirm
        case "userSign": self = .userSign
        default: return nil
        }
    }
}
