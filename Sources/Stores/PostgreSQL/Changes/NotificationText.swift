/// What processes tell each other: who speaks, and the logins that he has changed. Nothing in it is believed: whoever is
/// named there is only looked at again.
import Base
import Logins

struct NotificationText: Equatable {
    /// A payload must be shorter than 8,000 bytes; a hundred ids are a quarter of that.
    static let mostIDs = 100

    /// A process, by a number that it has drawn.
    let sender: String
    /// None: the sender tries whether it is heard.
    let ids: [LoginID]

    static func makeSender() -> String { Base64URL.encode(RandomBytes.make(8)) }

    init(sender: String, ids: [LoginID]) {
        self.sender = sender
        self.ids = ids
    }

    /// What is no id is left out.
    init(_ text: String) {
        let words = text.split(separator: " ")
        self.sender = words.first.map { String($0) } ?? ""
        self.ids = words.dropFirst().compactMap { LoginID($0) }
    }

    var text: String { ([self.sender] + self.ids.map(\.description)).joined(separator: " ") }
}
