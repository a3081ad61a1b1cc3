import Testing

/// One outage, and the responses that clients get meanwhile: a line of docs/explanation/outages.md.
struct OutageRow: Sendable, CustomTestStringConvertible {
    /// Where the server stores the logins.
    enum Store: String, CaseIterable, Sendable {
        case memory, sqlite, postgresql
    }

    let name: String
    let outage: Outage
    var stores = Store.allCases
    // The responses, in the words of `Told`.
    let create: String
    let poll: String
    /// The response to a poll for a result that is ready.
    let result: String
    /// The response to a browser that opens a login.
    let open: String
    /// The response to a browser that returns from the broker, and the page that it is sent to.
    let callback: String
    /// The page of a login that is over.
    let page: String
    let ready: String
    /// How the login whose browser returned during the outage ends after it.
    let end: String

    var testDescription: String { self.name }

    /// The line in the documentation's table.
    var line: String {
        let cells = [
            self.name, self.stores.map { "`\($0.rawValue)`" }.joined(separator: " "), self.create, self.poll,
            self.result, self.open, self.callback, self.page, self.ready, self.end, self.outage.whole ?? "–",
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }
}
