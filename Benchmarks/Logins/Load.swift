/// Does the same work many times, with a fixed number at once.
enum Load {
    /// Throws the first error.
    static func run(_ count: Int, atOnce width: Int, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= width { try await group.next() }
                group.addTask { try await body() }
            }
            try await group.waitForAll()
        }
    }
}
