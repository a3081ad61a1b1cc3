/// A property of a parser that an input violates.
package struct Violation: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Throws unless the property is true.
func require(_ holds: Bool, _ property: @autoclosure () -> String) throws(Violation) {
    guard holds else { throw Violation(property()) }
}
