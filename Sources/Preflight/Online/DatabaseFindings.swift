/// Checks whether the database of the store `postgresql` answers, and whether its schema is the one that this version
/// needs. It changes nothing there.
import Dispatch
import Stores

extension FindingList {
    /// Blocks the thread.
    static func database(_ settings: PostgresSettings) -> FindingList {
        var list = FindingList("store")
        list.lookAtSchema(settings)
        if settings.wake == .notify, settings.listenURL != nil { list.lookAtListening(settings) }
        return list
    }

    private mutating func lookAtSchema(_ settings: PostgresSettings) {
        do throws(PostgresOpeningError) {
            self.pass(
                "postgresql.url",
                "the database answers, and its schema has version \(try PostgresMigration.inspect(settings))")
        } catch .noSchema where settings.migrate == .auto {
            self.warn("postgresql.url", "the database answers; the first server that starts creates the schema")
        } catch .older(let found, let wanted) where settings.migrate == .auto {
            self.warn(
                "postgresql.url", "the first server that starts upgrades the schema from version \(found) to \(wanted)")
        } catch {
            self.fail("postgresql.url", "\(error)")
        }
    }

    private mutating func lookAtListening(_ settings: PostgresSettings) {
        do throws(PostgresOpeningError) {
            try PostgresMigration.reachListening(settings)
            self.pass("postgresql.listen_url", "the database answers")
        } catch {
            self.fail("postgresql.listen_url", "\(error)")
        }
    }
}

extension OnlineCheck {
    func databaseFindings() async -> [Finding] {
        guard self.configuration.store == .postgresql, let settings = self.configuration.postgresql else { return [] }
        return await withCheckedContinuation { continuation in
            // On a thread that may wait for unreachable hosts.
            DispatchQueue.global().async { continuation.resume(returning: FindingList.database(settings).all) }
        }
    }
}
