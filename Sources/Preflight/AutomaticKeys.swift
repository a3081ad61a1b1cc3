import Base
import KeyRing
import ServerConfiguration
import Stores

/// The ring of automatic keys in a store that servers may be using.
package enum AutomaticKeys {
    /// Nil if there is none. Changes nothing in the store, and blocks the thread.
    package static func read(_ configuration: Configuration) throws(OperatorError) -> KeyRing? {
        guard let row = try Self.row(configuration) else { return nil }
        switch KeyRingSeal.open(row, under: configuration.serverKeys) {
        case .ring(let ring, _): return ring
        case .sealedByAnother: throw OperatorError("they were sealed by a server key that is not in server_keys")
        case .damaged: throw OperatorError("their row is damaged. A server makes new ones when it reads it")
        }
    }

    private static func row(_ configuration: Configuration) throws(OperatorError) -> StoredKeyRing? {
        do throws(StoreOpeningError) {
            switch configuration.store {
            case .memory: break
            case .sqlite: return try SQLiteKeyRing.read(configuration.sqlitePath)
            case .postgresql: return try configuration.postgresql.map(PostgresKeyRing.read) ?? nil
            }
        } catch {
            throw OperatorError("\(error)")
        }
        throw OperatorError("they are in the memory of the server")
    }
}
