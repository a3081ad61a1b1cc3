/// A link that opened the app, as the app sends it: parsed, but not trusted yet.
import Base
import Brokers

package struct ReturnLink: Sendable {
    /// The link as received.
    package let text: String
    /// Everything before the query.
    package let location: String
    /// The parameters of the query: at least all those with one of `names`.
    package let parameters: [Parameter]

    /// The parameters that decide something: those of a broker's response, and those of our own links.
    package static let names = ResponseParameters.names.union(["login", "proof", "switch"])

    /// Whether the link carries nothing of ours and of this broker: an e-ID's app has only opened the app again.
    func isPlain(for broker: any Broker) -> Bool {
        !self.parameters.contains { Self.names.contains($0.name) || broker.responseNames.contains($0.name) }
    }

    package init(text: String, location: String, parameters: [Parameter]) {
        self.text = text
        self.location = location
        self.parameters = parameters
    }
}

/// The content is hidden from logs, because it may contain a code.
extension ReturnLink: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "ReturnLink" }
    package var debugDescription: String { "ReturnLink" }
}
