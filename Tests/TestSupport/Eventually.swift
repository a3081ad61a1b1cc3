/// Waits until the condition is true, and returns false after half a minute.
package func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let limit = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < limit {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return false
}
