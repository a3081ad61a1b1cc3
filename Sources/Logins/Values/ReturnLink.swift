import Base
import Brokers

/// A link that opened the app, as the app sends it: parsed, but not trusted yet.
package struct ReturnLink: Sendable {
    /// The link as received.
    package let text: String
    /// Everything before the query.
    package let location: String
    private let read: @Sendable (Set<String>) -> [Parameter]

    /// The parameters that decide something: those of a broker's response, and those of our own links.
    package static let names = ResponseParameters.names.union(["login", "proof", "switch"])

    /// `read` returns the parameters of the query: at least all those with one of the names that it gets.
    package init(text: String, location: String, read: @escaping @Sendable (Set<String>) -> [Parameter]) {
        self.text = text
        self.location = location
        self.read = read
    }

    /// The parameters of the query: at least all that this broker's responses and our own links have.
    package func parameters(for broker: (any Broker)?) -> [Parameter] {
        self.read(Self.names.union(broker?.responseNames ?? []))
    }

    /// Whether these parameters carry nothing of ours and of this broker: an e-ID's app has only opened the app again.
    static func arePlain(_ parameters: [Parameter], for broker: (any Broker)?) -> Bool {
        let names = Self.names.union(broker?.responseNames ?? [])
        return !parameters.contains { names.contains($0.name) }
    }
}

/// The content is hidden from logs, because it may contain a code.
extension ReturnLink: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "ReturnLink" }
    package var debugDescription: String { "ReturnLink" }
}
