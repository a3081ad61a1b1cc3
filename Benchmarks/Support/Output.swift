import Foundation

/// Prints the result line by line as it arrives.
package enum Output {
    package static func line(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

    /// Reports progress on standard error.
    package static func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    /// Runs a benchmark. After an error the process exits, so that its PostgreSQL server ends with it. An error that
    /// leaves `main` would trap instead.
    package static func reportingErrors(_ body: @Sendable () async throws -> Void) async {
        do { try await body() } catch {
            self.note("\(error)")
            exit(1)
        }
    }
}
