import Logins

/// The payload of a notification: its sender, and the logins that the sender has changed. We do not trust it: each
/// login in it is only read again.
struct NotificationText: Equatable {
    /// A payload must be shorter than 8,000 bytes. A hundred ids take a quarter of that.
    static let maxIDs = 100

    /// The name of a process.
    let sender: String
    /// Empty if the sender only tests whether notifications arrive.
    let ids: [LoginID]

    init(sender: String, ids: [LoginID]) {
        self.sender = sender
        self.ids = ids
    }

    /// Ignores words that are not ids.
    init(_ text: String) {
        let words = text.split(separator: " ")
        self.sender = words.first.map { String($0) } ?? ""
        self.ids = words.dropFirst().compactMap { LoginID($0) }
    }

    var text: String { ([self.sender] + self.ids.map(\.description)).joined(separator: " ") }
}
