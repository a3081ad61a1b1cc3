import Base

/// The settings of the PostgreSQL store: the database, its timeouts and its connections.
package struct PostgresSettings: Sendable {
    /// How a process learns of changes by other processes.
    package enum Wake: String, CaseIterable, Sendable {
        /// Through LISTEN and NOTIFY.
        case notify
        /// Through regular queries, for poolers and engines without LISTEN.
        case poll
    }

    package enum Migrate: String, CaseIterable, Sendable {
        /// The server creates or updates the schema when it starts.
        case auto
        /// The server only checks the schema, which `switchback migrate` must have made.
        case off
    }

    /// A libpq connection string, as a URL or as keywords. It may contain a password.
    package let url: Secret
    /// Overrides a password in the URL. Nil: the URL's password is used.
    package var password: PostgresPassword?
    package var wake = Wake.notify
    /// A direct connection for LISTEN if `url` leads to a pooler.
    package var listenURL: Secret?
    /// Overrides a password in the listen URL. Nil: `password` is used.
    package var listenPassword: PostgresPassword?
    package var migrate = Migrate.auto
    /// The most connections of this process, including the one that listens.
    package var connections = 10
    package var statementTimeout = Duration.seconds(5)
    /// The time between two queries with `wake: poll`.
    package var pollInterval = Duration.milliseconds(200)

    package init(url: Secret) { self.url = url }

    /// Whether the connection may go through a pooler. Then we use no features that depend on a session.
    var isPooled: Bool { self.wake == .poll || self.listenURL != nil }

    /// The connections for statements. With `wake: notify`, one connection is reserved for LISTEN.
    var statementConnections: Int { max(1, self.wake == .notify ? self.connections - 1 : self.connections) }
}

/// The password of the server's role. It is read again for each connection, since a file may contain a short-lived
/// password that is valid for minutes (RDS, Entra ID, Vault).
package struct PostgresPassword: Sendable {
    /// Returns nil if no password is needed, or if libpq finds it itself (`passfile`). An error names the file and never
    /// quotes it.
    package let read: @Sendable () throws(OperatorError) -> Secret?

    package init(_ read: @escaping @Sendable () throws(OperatorError) -> Secret?) { self.read = read }

    /// A password that does not change.
    package init(_ secret: Secret?) { self.read = { () throws(OperatorError) in secret } }
}
