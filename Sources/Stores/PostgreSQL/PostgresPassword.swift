/// The password of the server's role. It is read again for each connection, since a file may hold one that lasts for minutes:
/// of RDS, Entra ID or Vault.
import Base

package struct PostgresPassword: Sendable {
    /// Why it cannot be read now; names the file, and never what is in it.
    package struct Unreadable: Error, Equatable, Sendable {
        package let reason: String

        package init(_ reason: String) { self.reason = reason }
    }

    /// Nil: none is needed, or libpq finds it (`passfile`).
    package let read: @Sendable () throws(Unreadable) -> Secret?

    package init(_ read: @escaping @Sendable () throws(Unreadable) -> Secret?) { self.read = read }

    /// One that does not change.
    package init(_ secret: Secret?) { self.read = { () throws(Unreadable) in secret } }
}
