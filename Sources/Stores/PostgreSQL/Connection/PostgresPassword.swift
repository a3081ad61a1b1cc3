import Base

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
