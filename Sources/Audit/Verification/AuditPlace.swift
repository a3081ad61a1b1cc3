/// A line of a file.
package struct AuditPlace: Equatable, Sendable, CustomStringConvertible {
    package let file: String
    package let line: Int

    package init(_ file: String, line: Int) {
        self.file = file
        self.line = line
    }

    package var description: String { "\(self.file):\(self.line)" }
}
