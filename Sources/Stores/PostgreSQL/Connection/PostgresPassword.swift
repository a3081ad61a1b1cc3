/// The password of the server's role. It is read again for each connection, since a file may hold one that lasts for minutes:
/// of RDS, Entra ID or Vault.
import Base

package struct PostgresPassword: Sendable {
    /// Nil: none is needed, or libpq finds it (`passfile`).
    package let read: @Sendable () throws(PostgresPasswordError) -> Secret?

    package init(_ read: @escaping @Sendable () throws(PostgresPasswordError) -> Secret?) { self.read = read }

    /// One that does not change.
    package init(_ secret: Secret?) { self.read = { () throws(PostgresPasswordError) in secret } }
}

/// Why a password cannot be read now; names the file, and never what is in it.
package struct PostgresPasswordError: Error, Equatable, Sendable, CustomStringConvertible {
    package let reason: String

    package var description: String { self.reason }

    package init(_ reason: String) { self.reason = reason }
}
