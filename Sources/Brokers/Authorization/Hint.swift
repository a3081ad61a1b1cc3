/// What the user may have to do now, as far as the broker says: a closed list, with the codes of Swedish BankID.
package enum Hint: String, CaseIterable, Sendable {
    /// The e-ID's app has not been opened.
    case outstandingTransaction = "outstanding_transaction"
    /// The app has not responded yet.
    case noClient = "no_client"
    case started
    /// The user has to scan a passport or an identity card.
    case userMRTD = "user_mrtd"
    case userCallConfirm = "user_call_confirm"
    /// The app waits for the user's security code.
    case userSign = "user_sign"

    /// Reads BankID's spelling; nil for a code that we do not know.
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
