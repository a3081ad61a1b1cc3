/// Waits until the condition is true, and returns false when `Patience` ends.
package func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let end = Patience.end
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return false
}
