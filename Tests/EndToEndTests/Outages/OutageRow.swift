/// One thing that is not as it should be, and what everybody is told meanwhile: a line of docs/outages.md.
import Testing

struct OutageRow: Sendable, CustomTestStringConvertible {
    /// Where the logins are.
    enum Store: String, CaseIterable, Sendable {
        case memory, sqlite, postgresql
    }

    let name: String
    let outage: Outage
    var stores = Store.allCases
    // What is told, in the words of `Told`.
    let create: String
    let poll: String
    /// To who polls for a result that is there.
    let result: String
    /// To a browser that opens a login.
    let open: String
    /// To a browser that comes back from the broker, and on the page that it is sent to.
    let callback: String
    /// On the page of a login that is over.
    let page: String
    let ready: String
    /// What becomes of the login whose browser came back meanwhile, when all is well again.
    let end: String

    var testDescription: String { self.name }

    /// As the table in the documentation has it.
    var line: String {
        let cells = [
            self.name, self.stores.map { "`\($0.rawValue)`" }.joined(separator: " "), self.create, self.poll,
            self.result, self.open, self.callback, self.page, self.ready, self.end, self.outage.whole ?? "–",
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }
}
