import Logins
import Traces
import Tracing

/// The span of each operation of a store. Its attributes are those of OpenTelemetry's semantic conventions for
/// databases.
struct StoreTrace: Sendable {
    /// `postgresql`, `sqlite` or `memory`.
    let system: String
    /// The kind of rows.
    let collection: String

    nonisolated(nonsending) func span<Value>(
        _ operation: String, _ body: nonisolated(nonsending) () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard let span = WorkContext.current?.span?.child("\(operation) \(self.collection)", .client) else {
            return try await body()
        }
        span.attributes = [
            "db.system.name": .string(self.system), "db.operation.name": .string(operation),
            "db.collection.name": .string(self.collection),
        ]
        defer { span.end() }
        do throws(StoreError) { return try await body() } catch {
            span.updateAttributes { $0["error.type"] = "unavailable" }
            span.setStatus(SpanStatus(code: .error))
            throw error
        }
    }
}
