/// A failure whose reader is the operator: a sentence that says what is wrong, and what to do if that is known. No code
/// decides by it, and no app gets it.
package struct OperatorError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
