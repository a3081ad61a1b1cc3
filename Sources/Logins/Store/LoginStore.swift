/// Where logins live. The conformance suite of the stores is the rest of this contract; a store that passes is correct.
///
/// A store keeps sealed rows and knows nothing of what is in them. A transition is `load`, a pure function, `replace`:
/// when another writer was faster, `replace` says so and the caller starts again.
///
/// What every request needs is done where the caller is (`nonsending`): to go elsewhere and back costs more than to look
/// into a table.
import Base

package protocol LoginStore: Sendable {
    /// Keeps a new row. False when the id is taken.
    nonisolated(nonsending) func insert(_ row: SealedLogin) async throws(StoreError) -> Bool

    nonisolated(nonsending) func load(_ id: LoginID) async throws(StoreError) -> SealedLogin?

    /// Keeps `row` in place of the one of that revision. False when there is none of that revision any more.
    nonisolated(nonsending) func replace(_ row: SealedLogin, revision: Int64) async throws(StoreError) -> Bool

    /// Forgets the row of that revision. False when there is none of that revision any more.
    func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool

    /// Up to `limit` rows whose time has come, the longest overdue about first.
    func due(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin]

    /// Does what a sweep has decided, in no hurry: what others want done in the meantime goes first. False where `replace` and
    /// `remove` say so.
    func settle(_ change: SweptLogin) async throws(StoreError) -> Bool

    /// How many rows are open.
    nonisolated(nonsending) func openCount() async throws(StoreError) -> Int

    /// Returns when a login could be kept now.
    func probe() async throws(StoreError)

    /// Calls `changed`, once this has been called, when another process may have changed a login that is watched.
    func observeChanges(_ changed: @escaping @Sendable (LoginID) -> Void)

    /// Begins to look out for changes of a login, until `unwatch` has been called as often. It must come before the `load`
    /// whose row somebody then waits to see changed: what is changed after that row was read is told.
    func watch(_ id: LoginID)

    func unwatch(_ id: LoginID)
}

/// A store that only this process writes has nothing to tell.
extension LoginStore {
    package func observeChanges(_ changed: @escaping @Sendable (LoginID) -> Void) {}
    package func watch(_ id: LoginID) {}
    package func unwatch(_ id: LoginID) {}
}

extension LoginStore {
    package func probe() async throws(StoreError) { _ = try await self.openCount() }

    /// One after the other, and of each whether it was done. Where one fails, those before it are done all the same, and
    /// whoever asked has to know.
    package func settle(_ changes: [SweptLogin]) async throws(StoreError) -> [Bool] {
        var done: [Bool] = []
        for change in changes {
            do throws(StoreError) { done.append(try await self.settle(change)) } catch {
                guard done.contains(true) else { throw error }
                return done + changes.dropFirst(done.count).map { _ in false }
            }
        }
        return done
    }

    package func settle(_ change: SweptLogin) async throws(StoreError) -> Bool {
        switch change {
        case .replace(let row, let revision): try await self.replace(row, revision: revision)
        case .remove(let id, let revision): try await self.remove(id, revision: revision)
        }
    }
}

/// What a sweep makes of a row, while it is of that revision.
package enum SweptLogin: Equatable, Sendable {
    case replace(SealedLogin, revision: Int64)
    case remove(LoginID, revision: Int64)
}

/// What a store keeps of a login: enough to find it, to compare it and to sweep it, and sealed bytes.
package struct SealedLogin: Equatable, Sendable {
    package let id: LoginID
    package let revision: Int64
    /// When time alone changes it next.
    package let due: Timestamp
    /// True while it counts as a pending login.
    package let isOpen: Bool
    /// True when nothing is left to be done for it but to forget it when it is due: a store that does so by itself need
    /// not name it among those that are due. Only a hint; a store need not give it back.
    package let isOver: Bool
    package let bytes: [UInt8]

    package init(id: LoginID, revision: Int64, due: Timestamp, isOpen: Bool, isOver: Bool = false, bytes: [UInt8]) {
        self.id = id
        self.revision = revision
        self.due = due
        self.isOpen = isOpen
        self.isOver = isOver
        self.bytes = bytes
    }
}

/// A store that cannot answer now.
package enum StoreError: Error, Equatable, Sendable {
    case unavailable
}

extension StoreError: CustomStringConvertible {
    package var description: String { "the store does not answer: its own lines in the log say why" }
}
