import Base
import ServerConfiguration
import Stores

/// How many sessions of the store each session key has sealed. A key is needed as long as there are any.
package enum SealedSessions {
    /// Returns the counts by the key's id in a schedule. Changes nothing in the store, and blocks the thread.
    package static func counts(_ configuration: Configuration) throws(OperatorError) -> [String: Int] {
        let counts = try self.read(configuration).map { (Base64URL.encode($0.keyID), $0.count) }
        return Dictionary(counts, uniquingKeysWith: +)
    }

    private static func read(
        _ configuration: Configuration
    ) throws(OperatorError) -> [(keyID: [UInt8], count: Int)] {
        do throws(StoreOpeningError) {
            switch configuration.store {
            case .memory: break
            case .sqlite: return try SQLiteSessionCounts.read(configuration.sqlitePath)
            case .postgresql: return try configuration.postgresql.map(PostgresSessionCounts.read) ?? []
            }
        } catch {
            throw OperatorError("\(error)")
        }
        throw OperatorError("the sessions are in the memory of the server")
    }
}
