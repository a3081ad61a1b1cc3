import Testing

/// A row of the table "What each thief gets" of docs/explanation/sessions.md, and what shows that it is true.
struct Thief: Sendable, CustomTestStringConvertible {
    /// The cells of the table, without links.
    let has: String
    let gets: String
    /// Plays the thief against a server.
    let steal: @Sendable () async throws -> Void

    var testDescription: String { self.has }

    init(_ has: String, gets: String, _ steal: @escaping @Sendable () async throws -> Void) {
        (self.has, self.gets, self.steal) = (has, gets, steal)
    }
}
