/// A name with its value, as forms, queries and header fields have them.
///
/// Names may repeat and the order counts, so a list of them is no dictionary.
package struct Parameter: Hashable, Sendable {
    package let name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
