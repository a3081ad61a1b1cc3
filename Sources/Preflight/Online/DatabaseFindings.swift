// Checks whether a server could work with the database of the store `postgresql`: the schema, and then all that a
// server does, by the same code. Of the schema it changes nothing.

import Dispatch
import EventLoop
import Stores

extension FindingList {
    static func database(_ settings: PostgresSettings, on loop: EventLoop) async -> FindingList {
        var list = FindingList("store")
        // On a thread that may wait for unreachable hosts.
        let schema = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Schema(settings)) }
        }
        list.note(schema)
        guard case .fits = schema else { return list }
        do throws(StoreOpeningError) {
            list.note(try await PostgresRehearsal(settings, on: loop), settings)
        } catch {
            list.fail("postgresql.url", "\(error)")
        }
        return list
    }

    /// What a server finds when it starts.
    private enum Schema: Sendable {
        case fits(version: Int)
        /// The first server makes or changes it, and may do that.
        case due(String)
        case failed(StoreOpeningError)

        /// Blocks the thread.
        init(_ settings: PostgresSettings) {
            do throws(StoreOpeningError) {
                self = .fits(version: try PostgresMigration.inspect(settings))
            } catch {
                switch error.cause {
                case .noSchema where settings.migrate == .auto:
                    self.init(due: "creates the schema", settings)
                case .older(let version, let neededVersion) where settings.migrate == .auto:
                    self.init(due: "upgrades the schema from version \(version) to \(neededVersion)", settings)
                default: self = .failed(error)
                }
            }
        }

        private init(due: String, _ settings: PostgresSettings) {
            do throws(StoreOpeningError) {
                try PostgresMigration.rehearse(settings)
                self = .due(due)
            } catch {
                self = .failed(error)
            }
        }
    }

    private mutating func note(_ schema: Schema) {
        switch schema {
        case .fits(let version):
            self.pass("postgresql.url", "the database answers, and its schema has version \(version)")
        case .due(let what):
            self.warn("postgresql.url", "the database answers; the first server that starts \(what)")
        case .failed(let error):
            self.fail("postgresql.url", "\(error)")
        }
    }

    private mutating func note(_ rehearsal: PostgresRehearsal, _ settings: PostgresSettings) {
        guard rehearsal.obstacle == nil else {
            return self.fail("postgresql.url", "no server would be ready: \(rehearsal.obstacle.map { "\($0)" } ?? "")")
        }
        self.pass("postgresql.url", "it reads, writes and removes logins and sessions")
        guard settings.wake == .notify else { return }
        let subject = settings.listenURL == nil ? "postgresql.wake" : "postgresql.listen_url"
        if let cause = rehearsal.deafness {
            self.fail(subject, "servers would not hear of each other's changes: \(cause)")
        } else {
            self.pass(subject, "notifications arrive")
        }
    }
}

extension OnlineCheck {
    func databaseFindings(_ loop: EventLoop) async -> [Finding] {
        guard self.configuration.store == .postgresql, let settings = self.configuration.postgresql else { return [] }
        return await FindingList.database(settings, on: loop).all
    }
}
