/// A link that opened the app, as the app hands it in: taken apart by who reads URLs, believed by nobody yet.
import Base

package struct ReturnLink: Sendable {
    /// As it came.
    package let text: String
    /// Everything before the query.
    package let location: String
    /// What the query says; nil when it cannot be read.
    package let parameters: [Parameter]?

    package init(text: String, location: String, parameters: [Parameter]?) {
        self.text = text
        self.location = location
        self.parameters = parameters
    }
}

/// A code may stand in it.
extension ReturnLink: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "ReturnLink" }
    package var debugDescription: String { "ReturnLink" }
}
