/// Something that happened to a login, for the log and the metrics. It holds no secret and no personal data.
import JOSE

package struct LoginEvent: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case created
        case opened
        /// The broker could not be asked for a login.
        case openFailed = "open_failed"
        case callback
        /// A callback that no login was changed by: forged, strange, late.
        case callbackIgnored = "callback_ignored"
        /// What another process has left is gone on with.
        case takenOver = "taken_over"
        case ended
        case acknowledged
        /// Why redeeming a code failed; `ended` tells what became of the login.
        case exchangeFailed = "exchange_failed"
        /// A row that could not be believed or opened.
        case rowRefused = "row_refused"
        case storeFailed = "store_failed"
    }

    package let kind: Kind
    package var login: LoginID?
    package var app: String?
    package var provider: String?
    package var platform: String?
    package var status: LoginStatus?
    package var reason: Reason?
    /// From the creation to now, for `ended`.
    package var duration: Duration?
    /// Which rule or error it was, in our own words.
    package var detail: String?

    init(_ kind: Kind, detail: String? = nil) {
        self.kind = kind
        self.detail = detail
    }

    init(_ kind: Kind, _ login: Login?, detail: String? = nil) {
        if let login { self.init(kind, login, detail: detail) } else { self.init(kind, detail: detail) }
    }

    init(_ kind: Kind, _ login: Login, detail: String? = nil) {
        self.kind = kind
        self.detail = detail
        self.login = login.id
        self.app = login.app
        self.provider = login.provider
        self.platform = login.platform
        self.status = login.status
        self.reason = login.reason
    }
}
