import HTTPServer
import HTTPWire

/// Answers operators: whether the server is alive, whether it is ready, its metrics, and what happened to a login.
package struct OperationsHandler: RequestHandler {
    /// Returns what keeps the server from taking logins; empty when it is ready.
    package typealias Readiness = @Sendable () async -> [String]

    /// The text format of Prometheus, version 0.0.4.
    private static let metricsType = "text/plain; version=0.0.4; charset=utf-8"

    private let readiness: Readiness
    private let metrics: @Sendable () -> [UInt8]
    private let notes: NoteReader?

    /// `metrics` returns Prometheus text. Without `notes` nobody can read what happened to a login.
    package init(
        readiness: @escaping Readiness, metrics: @escaping @Sendable () -> [UInt8], notes: NoteReader? = nil
    ) {
        self.readiness = readiness
        self.metrics = metrics
        self.notes = notes
    }

    package func handle(_ request: Request, _ responder: ResponseHandle) {
        let notes = self.notes.flatMap { $0.isOn ? $0 : nil }
        let table = notes == nil ? OperationsRoute.withoutLogins : OperationsRoute.table
        switch RouteMatch(request.method, request.target.path, in: table) {
        case .route(.live, _):
            responder.respond(Self.text(.ok, "ok\n"))
        case .route(.ready, _):
            Task.immediate(executorPreference: responder.loop) { responder.respond(await self.checkReadiness()) }
        case .route(.metrics, _):
            var response = Self.text(.ok, "")
            response.fields[.contentType] = Self.metricsType
            response.body = self.metrics()
            responder.respond(response.compressible(for: request))
        case .route(.login, let reference):
            guard let notes else { return responder.respond(Self.text(.notFound, "not found\n")) }
            Task.immediate(executorPreference: responder.loop) {
                responder.respond(await notes.response(to: request, reference))
            }
        case .options(let allowed), .wrongMethod(let allowed):
            var response = Self.text(request.method == .options ? .noContent : .methodNotAllowed, "")
            response.fields[.allow] = allowed.list
            responder.respond(response)
        case .nothing:
            responder.respond(Self.text(.notFound, "not found\n"))
        }
    }

    private func checkReadiness() async -> Response {
        let obstacles = await self.readiness()
        guard !obstacles.isEmpty else { return Self.text(.ok, "ok\n") }
        return Self.text(.serviceUnavailable, obstacles.map { "\($0)\n" }.joined())
    }

    static func text(_ status: Status, _ text: String) -> Response {
        let fields: Fields = [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]
        return Response(status, fields: fields, body: Array(text.utf8))
    }
}
