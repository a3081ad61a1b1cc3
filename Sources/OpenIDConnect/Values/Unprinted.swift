/// A value that is printed, dumped and logged without what is in it.
package protocol Unprinted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Unprinted {
    package var description: String { "‹\(Self.self)›" }

    package var debugDescription: String { self.description }

    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
