// Keeps parts of a password out of the other parts of an address, which are shown.
//
// libpq ends the user information of a URL at its first `@`, and the host at a slash. So a password with such a
// character becomes a host, a port or a database, and libpq's own messages and ours would repeat it.

import Base

extension PostgresAddress {
    /// libpq's own message quotes the faulty part, which may be the password, so we do not repeat it.
    static let malformed = OperatorError(
        "is not a libpq connection string such as postgresql://switchback@db.example.com/switchback. \(advice)")

    /// The user information of a URL has a character that ends it, or may end at two places.
    private static let rawDelimiter = OperatorError(
        "has an @, /, ? or # that is not percent-encoded, so that nobody can tell where the password ends. \(advice)")

    private static func credentials(in part: String) -> OperatorError {
        OperatorError("has a \(part) that looks like a part of a password. \(Self.advice)")
    }

    private static let advice =
        "In a URL write @ : / ? # and % of a password as %40 %3A %2F %3F %23 and %25, or give the password in postgresql.password or in the file of SWITCHBACK_POSTGRESQL__PASSWORD_FILE"

    private static let schemes = ["postgresql://", "postgres://"]

    /// Refuses a URL whose user information could end at two places (RFC 3986 §3.2.1).
    static func checkDelimiters(of text: String) throws(OperatorError) {
        guard let scheme = self.schemes.first(where: text.hasPrefix) else { return }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        let places = rest.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? rest
        let authority = places.prefix { !"/?".utf8.contains($0) }
        // A colon without a port is the end of a user name whose host is missing.
        let ports = authority.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard !ports.contains(where: { $0.last == UInt8(ascii: ":") }) else { throw Self.malformed }
        guard let end = rest.firstIndex(of: UInt8(ascii: "@")) else { return }
        guard !rest[..<end].contains(where: "/?#".utf8.contains),
            !rest[end...].dropFirst().contains(UInt8(ascii: "@"))
        else { throw Self.rawDelimiter }
    }

    /// Refuses a part that looks like another string with a password in it, or like the rest of one.
    func checkParts() throws(OperatorError) {
        // This catches `postgresql://us:secret`, which lacks a host.
        let ports = (self["port"] ?? "").split(separator: ",").map { Int($0) }
        guard ports.allSatisfy({ $0.map { (1...65_535).contains($0) } ?? false }) else { throw Self.malformed }
        // A socket in Linux's abstract namespace begins with `@`.
        let hosts = ["host", "hostaddr"].compactMap { self[$0] }.flatMap { $0.split(separator: ",") }
        guard hosts.allSatisfy(Self.isPlain) else { throw Self.credentials(in: "host") }
        if let name = self["dbname"], name.contains("@") || name.contains("://") || name.contains("=") {
            throw Self.credentials(in: "dbname")
        }
        if self["user"]?.contains(":") == true { throw Self.credentials(in: "user") }
        for (name, words) in Self.choices {
            guard let value = self[name], !words.contains(value) else { continue }
            throw OperatorError("has an unknown \(name): it must be one of \(words.joined(separator: ", "))")
        }
    }

    /// A host with a colon is an IPv6 address, perhaps with a zone.
    private static func isPlain(_ host: Substring) -> Bool {
        guard !host.dropFirst().contains("@"), !host.contains("://") else { return false }
        guard host.contains(":"), !host.hasPrefix("/") else { return true }
        return host.prefix { $0 != "%" }.allSatisfy { $0 == ":" || $0 == "." || $0.isHexDigit }
    }

    /// libpq checks these words too, but its message repeats the wrong one.
    private static let choices: [(name: String, words: [String])] = [
        ("sslmode", ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]),
        ("target_session_attrs", ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"]),
    ]
}
