/// A name with its value, as in forms, queries and header fields.
///
/// Names may repeat and their order counts, so code keeps them in an array, not in a dictionary.
package struct Parameter: Hashable, Sendable {
    package let name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
