/// A link that opened the app, as the app sends it: parsed, but not trusted yet.
import Base

package struct ReturnLink: Sendable {
    /// The link as received.
    package let text: String
    /// Everything before the query.
    package let location: String
    /// The parameters of the query. Nil if it cannot be parsed.
    package let parameters: [Parameter]?

    package init(text: String, location: String, parameters: [Parameter]?) {
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
