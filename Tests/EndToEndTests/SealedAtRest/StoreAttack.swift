/// What somebody does who can write the store, and wants a result that is not for him.
import Base
import Foundation

@testable import Logins

struct StoreAttack: Sendable {
    /// What he can read and write.
    struct Rows: Sendable {
        /// Of his app, in whose link another person has logged in. It wants a proof, which is on that person's screen.
        var mine: StoredRow
        /// Of his app too: he has logged in himself, and has its proof; and as it was when he had only opened it.
        let own: StoredRow
        let ownOpened: StoredRow
        /// Another person's, completed.
        var theirs: StoredRow
        /// His, as it was before anybody had logged in, and as it was before he spent the tries.
        let opened: StoredRow
        let untried: StoredRow
    }

    let name: String
    /// What his app is told: `404` where the row is refused.
    var status = 404
    /// Whether the sweep takes the row away.
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
        StoreAttack("lowers the release rule") { try $0.mine.put(release: .immediate) },
        StoreAttack("moves the opening of his own login") { rows in
            var login = try rows.opened.login
            login.openings += try rows.ownOpened.login.openings
            rows.mine.take(rows.opened)
            rows.mine.put(login)
        },
        StoreAttack("moves the hash of the answer that his own page's proof is made of") { rows in
            let taken = try rows.own.login.taken
            try rows.mine.change { $0.taken = taken }
        },
        StoreAttack("says that the app had brought the answer") { try $0.mine.change { $0.taken?.isByApp = true } },
        StoreAttack("says that a proof was seen") { try $0.mine.change { $0.proof = .pageLink } },
        StoreAttack("resets the tries") { try $0.mine.change { $0.codeTries = 0 } },
        StoreAttack("calls it completed") {
            try $0.mine.change { login in
                guard case .awaitingReturn(let outcome, _) = login.state else { return }
                login.state = .completed(outcome)
            }
        },
        StoreAttack("puts the sealed outcome of another into his login") { rows in
            let state = try rows.theirs.login.state
            try rows.mine.change { $0.state = state }
        },
        StoreAttack("forges an outcome under a server key of his own") { rows in
            var login = try rows.mine.login
            let key = ServerKey.make()
            login.state = .completed(
                Outcome(sealed: RandomBytes.make(80), proof: .pageLink, keepUntil: login.lapsesAt))
            let sealed = LoginSeal.seal(login, under: key)
            rows.mine.bytes = Data(sealed.bytes)
            rows.mine.isOpen = false
        },
        StoreAttack("keeps the key's name, and makes the MAC with his own") { rows in
            var login = try rows.mine.login
            login.codeTries = 0
            let sealed = LoginSeal.seal(login, under: ServerKey.make())
            rows.mine.put(login, mac: Data(sealed.bytes.suffix(StoredRow.macCount)))
        },
    ]

    private static let ofRows = [
        StoreAttack("puts another's row in place of his own") { $0.mine.take($0.theirs) },
        StoreAttack("puts the row of his other login in place of it") { $0.mine.take($0.own) },
        StoreAttack("swaps two rows") { rows in
            let mine = rows.mine
            rows.mine.take(rows.theirs)
            rows.theirs.take(mine)
        },
        StoreAttack("swaps two names") { rows in
            (rows.mine.column, rows.theirs.column) = (rows.theirs.column, rows.mine.column)
        },
        StoreAttack("cuts the row in half") { $0.mine.bytes = $0.mine.bytes.prefix($0.mine.bytes.count / 2) },
        StoreAttack("cuts off the MAC") { $0.mine.bytes = $0.mine.bytes.dropLast(StoredRow.macCount) },
        StoreAttack("empties the row") { $0.mine.bytes = Data() },
        // What design 4 lets him do: no more than to begin again where the login was.
        StoreAttack("puts back the row from before anybody had logged in", status: 200) { $0.mine.take($0.opened) },
        StoreAttack("puts back the row from before the tries were spent", status: 200) { $0.mine.take($0.untried) },
    ]

    private static let ofColumns = [
        StoreAttack("keeps it for ever") { $0.mine.due += 1_000_000_000 },
        StoreAttack("says that it is due", isSwept: true) { $0.mine.due = 0 },
        StoreAttack("says that it is over") { $0.mine.isOpen.toggle() },
        StoreAttack("raises the revision") { $0.mine.revision += 1 },
        StoreAttack("lowers the revision") { $0.mine.revision -= 1 },
    ]
}
