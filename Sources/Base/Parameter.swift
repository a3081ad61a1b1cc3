/// A name with its value, as in forms, queries and header fields.
///
/// Names may repeat and their order counts, so code keeps them in an array, not in a dictionary.
package struct Parameter: Hashable, Sendable {
    /// The value of a field that could not be decoded and must not be lost (`FormBody.read`). No state, code, issuer,
    /// artifact or proof contains it.
    package static let unreadable = "\u{FFFD}"

    package let name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    package var isUnreadable: Bool { self.value == Self.unreadable }
}
