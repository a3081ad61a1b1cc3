/// Where the database is, and what the store may ask of it.
import Base

package struct PostgresSettings: Sendable {
    /// How a process learns what another one has written.
    package enum Wake: String, CaseIterable, Sendable {
        /// LISTEN and NOTIFY.
        case notify
        /// Asks again and again: for poolers and engines without LISTEN.
        case poll
    }

    package enum Migrate: String, CaseIterable, Sendable {
        /// Makes or updates the schema at the start.
        case auto
        /// Only looks whether it fits: `switchback migrate` has made it.
        case off
    }

    /// libpq's connection string, as URL or as keywords. It may hold a password.
    package let url: Secret
    /// Goes before one in the URL; nil: the URL's.
    package var password: PostgresPassword?
    package var wake = Wake.notify
    /// A direct connection for LISTEN where `url` leads to a pooler.
    package var listenURL: Secret?
    /// Goes before one in that URL; nil: as `password`.
    package var listenPassword: PostgresPassword?
    package var migrate = Migrate.auto
    /// Of this process at most, the one that listens among them.
    package var connections = 10
    package var statementTimeout = Duration.seconds(5)
    /// Between two questions of `wake: poll`.
    package var pollInterval = Duration.milliseconds(200)

    package init(url: Secret) { self.url = url }

    /// A pooler may stand there: nothing that belongs to a session may be used.
    var isPooled: Bool { self.wake == .poll || self.listenURL != nil }

    /// With `wake: notify` one is kept for listening.
    var statementConnections: Int { max(1, self.wake == .notify ? self.connections - 1 : self.connections) }
}
