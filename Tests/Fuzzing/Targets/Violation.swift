/// A property of a parser that did not hold for an input.
package struct Violation: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// States a property.
func require(_ holds: Bool, _ property: @autoclosure () -> String) throws(Violation) {
    guard holds else { throw Violation(property()) }
}
