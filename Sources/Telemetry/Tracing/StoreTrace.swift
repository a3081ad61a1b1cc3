import Logins
import Traces
import Tracing

/// The span of an operation of a database that a request causes. Its attributes are those of OpenTelemetry's semantic
/// conventions for databases. A sweep is not traced: it is about many rows.
package struct StoreTrace: Sendable {
    private let system: String

    /// `system` is `postgresql` or `sqlite`.
    package init(system: String) { self.system = system }

    /// Runs `body`, in a span if the present work has one.
    nonisolated(nonsending) package func span<Value>(
        _ operation: StoreTimes.Operation, _ body: nonisolated(nonsending) () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard let kind = operation.span,
            let span = WorkContext.current?.span?.child(kind.name, .client)
        else { return try await body() }
        span.note { attributes in
            attributes["db.system.name"] = .text(self.system)
            attributes["db.operation.name"] = .text(kind.operation)
            attributes["db.collection.name"] = .text(kind.collection)
        }
        defer { span.end() }
        do throws(StoreError) { return try await body() } catch {
            span.note { $0["error.type"] = .text("unavailable") }
            span.setStatus(SpanStatus(code: .error))
            throw error
        }
    }
}

extension StoreTimes.Operation {
    /// The name of its span, and what it does with which kind of rows. Nil if it is not traced.
    fileprivate var span: (name: String, operation: String, collection: String)? {
        switch self {
        case .insert: ("insert login", "insert", "login")
        case .load: ("load login", "load", "login")
        case .replace: ("replace login", "replace", "login")
        case .insertSession: ("insert session", "insert", "session")
        case .loadSession: ("load session", "load", "session")
        case .replaceSession: ("replace session", "replace", "session")
        case .listSessions: ("load_many session", "load_many", "session")
        case .remove, .loadDue, .takeAbandoned, .applySweep, .count, .probe, .removeSession, .loadDueSessions,
            .countSessions:
            nil
        }
    }
}
