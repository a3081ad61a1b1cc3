/// A value whose description, dump and log output show none of its content.
package protocol RedactedDescription: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension RedactedDescription {
    package var description: String { "‹\(Self.self)›" }

    package var debugDescription: String { self.description }

    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
