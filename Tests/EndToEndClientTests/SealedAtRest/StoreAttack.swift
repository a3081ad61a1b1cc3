import Base
import Foundation

@testable import Logins

/// Changes by an attacker who can write the store and wants another user's result.
struct StoreAttack: Sendable {
    /// The rows that the attacker can read and write.
    struct Rows: Sendable {
        /// The attacker's login, in whose link another user has logged in. It requires a proof, which only that user
        /// sees.
        var mine: StoredRow
        /// Another login of the attacker, completed by the attacker, whose proof is known. `ownOpened` is the same row
        /// just after the link was opened.
        let own: StoredRow
        let ownOpened: StoredRow
        /// Another user's completed login.
        var theirs: StoredRow
        /// Earlier versions of `mine`: before the user logged in, and before the code attempts were used up.
        let opened: StoredRow
        let untried: StoredRow
    }

    let name: String
    /// The status that the attacker's app gets: `404` when the row is refused.
    var status = 404
    /// Whether the sweep removes the row.
    var isSwept = false
    let change: @Sendable (inout Rows) throws -> Void

    init(
        _ name: String, status: Int = 404, isSwept: Bool = false,
        _ change: @escaping @Sendable (inout Rows) throws -> Void
    ) {
        self.name = name
        self.status = status
        self.isSwept = isSwept
        self.change = change
    }

    static let all = Self.ofFields + Self.ofRows + Self.ofColumns

    private static let ofFields = [
        StoreAttack("lowers the release policy") { try $0.mine.put(release: .immediate) },
        StoreAttack("moves the attempt of the attacker's own login") { rows in
            var login = try rows.opened.login
            login.attempts += try rows.ownOpened.login.attempts
            rows.mine.take(rows.opened)
            rows.mine.put(login)
        },
        StoreAttack("moves the hash of the response that the own page's proof is made of") { rows in
            let taken = try rows.own.login.acceptedResponse
            try rows.mine.change { $0.acceptedResponse = taken }
        },
        StoreAttack("says that the app brought the response") {
            try $0.mine.change { $0.acceptedResponse?.isByApp = true }
        },
        StoreAttack("says that a proof was seen") { try $0.mine.change { $0.proof = .pageLink } },
        StoreAttack("resets the tries") { try $0.mine.change { $0.codeTries = 0 } },
        StoreAttack("calls it completed") {
            try $0.mine.change { login in
                guard case .awaitingReturn(let outcome, _) = login.state else { return }
                login.state = .completed(outcome)
            }
        },
        StoreAttack("puts the encrypted outcome of another login into this one") { rows in
            let state = try rows.theirs.login.state
            try rows.mine.change { $0.state = state }
        },
        StoreAttack("forges an outcome under another server key") { rows in
            var login = try rows.mine.login
            let key = ServerKey.make()
            login.state = .completed(
                SealedOutcome(sealed: RandomBytes.make(80), proof: .pageLink, keepUntil: login.lapsesAt))
            let sealed = LoginSeal.seal(login, under: key)
            rows.mine.bytes = Data(sealed.bytes)
            rows.mine.isOpen = false
        },
        StoreAttack("keeps the key's id, and makes the MAC with another key") { rows in
            var login = try rows.mine.login
            login.codeTries = 0
            let sealed = LoginSeal.seal(login, under: ServerKey.make())
            rows.mine.put(login, mac: Data(sealed.bytes.suffix(StoredRow.macCount)))
        },
    ]

    private static let ofRows = [
        StoreAttack("puts another user's row in place of this one") { $0.mine.take($0.theirs) },
        StoreAttack("puts the row of the attacker's other login in place of it") { $0.mine.take($0.own) },
        StoreAttack("swaps two rows") { rows in
            let mine = rows.mine
            rows.mine.take(rows.theirs)
            rows.theirs.take(mine)
        },
        StoreAttack("swaps two ids") { rows in
            (rows.mine.column, rows.theirs.column) = (rows.theirs.column, rows.mine.column)
        },
        StoreAttack("cuts the row in half") { $0.mine.bytes = $0.mine.bytes.prefix($0.mine.bytes.count / 2) },
        StoreAttack("cuts off the MAC") { $0.mine.bytes = $0.mine.bytes.dropLast(StoredRow.macCount) },
        StoreAttack("empties the row") { $0.mine.bytes = Data() },
        // Design 4 allows this much: the login starts again where it was.
        StoreAttack("restores the row from before the user logged in", status: 200) { $0.mine.take($0.opened) },
        StoreAttack("restores the row from before the code attempts", status: 200) { $0.mine.take($0.untried) },
    ]

    private static let ofColumns = [
        StoreAttack("keeps it forever") { $0.mine.due += 1_000_000_000 },
        StoreAttack("says that it is due", isSwept: true) { $0.mine.due = 0 },
        StoreAttack("says that it is over") { $0.mine.isOpen.toggle() },
        StoreAttack("raises the revision") { $0.mine.revision += 1 },
        StoreAttack("lowers the revision") { $0.mine.revision -= 1 },
    ]
}
