/// Waiting for a stream that carries nothing but its end.
extension AsyncStream where Element == Void {
    /// Returns when the stream ends, when the time is up, or when the task is cancelled.
    func ends(within limit: Duration) async {
        await withTaskGroup { group in
            group.addTask { for await _ in self {} }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
