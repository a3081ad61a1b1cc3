/// Returns the error of a call, or nil, so that a table can contain errors and successes.
func refusal<Failure: Error>(_ body: () throws(Failure) -> some Any) -> Failure? {
    do throws(Failure) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

func refusal<Failure: Error>(_ body: () async throws(Failure) -> some Any) async -> Failure? {
    do throws(Failure) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
