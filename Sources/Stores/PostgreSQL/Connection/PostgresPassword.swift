import Base

/// The password of the server's role. It is read again for each connection, since a file may contain a short-lived
/// password that is valid for minutes (RDS, Entra ID, Vault).
package struct PostgresPassword: Sendable {
    /// Returns nil if no password is needed, or if libpq finds it itself (`passfile`).
    package let read: @Sendable () throws(PostgresPasswordError) -> Secret?

    package init(_ read: @escaping @Sendable () throws(PostgresPasswordError) -> Secret?) { self.read = read }

    /// A password that does not change.
    package init(_ secret: Secret?) { self.read = { () throws(PostgresPasswordError) in secret } }
}

/// Why a password cannot be read now. The reason names the file but never quotes it.
package struct PostgresPasswordError: Error, Equatable, Sendable, CustomStringConvertible {
    package let reason: String

    package var description: String { self.reason }

    package init(_ reason: String) { self.reason = reason }
}
