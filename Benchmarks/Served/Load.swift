/// Does the same work many times, with a fixed number at once.
package enum Load {
    /// `body` gets the number of the work, from zero. Throws the first error.
    package static func run(
        _ count: Int, atOnce width: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= width { try await group.next() }
                group.addTask { try await body(number) }
            }
            try await group.waitForAll()
        }
    }
}
