/// Why a connection string is invalid. libpq's own message quotes the faulty part, which may be the password, so we do
/// not repeat it.
package enum PostgresAddressError: Error, Equatable, Sendable, CustomStringConvertible {
    case malformed
    case noHost
    /// The user information of a URL has a character that ends it, or may end at two places.
    case rawDelimiter
    /// This part may contain a password.
    case credentials(in: String)
    /// The value of this keyword is not one of the words.
    case word(String, [String])

    package var description: String {
        switch self {
        case .malformed:
            "is not a libpq connection string such as postgresql://switchback@db.example.com/switchback. \(Self.advice)"
        case .noHost: "names no host"
        case .rawDelimiter:
            "has an @, /, ? or # that is not percent-encoded, so that nobody can tell where the password ends. \(Self.advice)"
        case .credentials(let part): "has a \(part) that looks like a part of a password. \(Self.advice)"
        case .word(let name, let words): "has an unknown \(name): it must be one of \(words.joined(separator: ", "))"
        }
    }

    private static let advice =
        "In a URL write @ : / ? # and % of a password as %40 %3A %2F %3F %23 and %25, or give the password in postgresql.password or in the file of SWITCHBACK_POSTGRESQL__PASSWORD_FILE"
}
