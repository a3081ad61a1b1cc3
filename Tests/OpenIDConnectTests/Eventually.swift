/// Waits for what another task is about to do; false when it has not happened after ten seconds.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let limit = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < limit {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(1))
    }
    return false
}
