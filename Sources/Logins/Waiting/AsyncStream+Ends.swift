/// Waiting for a stream that carries nothing but its end.
extension AsyncStream where Element == Void {
    /// True when the stream ends; false when the time is up before.
    @discardableResult
    func ends(within limit: Duration) async -> Bool {
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
