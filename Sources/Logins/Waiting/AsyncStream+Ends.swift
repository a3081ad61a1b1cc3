// Waits for the end of a stream that carries no elements.

extension AsyncStream where Element == Void {
    /// Waits until the stream ends. Returns false if the time limit comes first.
    @discardableResult
    func waitForEnd(within limit: Duration) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in self {}
                return true
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? false
        }
    }
}
