import HTTPServer
import HTTPWire

/// Answers operators: whether the server is alive, whether it is ready, and its metrics.
package struct OperationsHandler: RequestHandler {
    /// Returns what keeps the server from taking logins; empty when it is ready.
    package typealias Readiness = @Sendable () async -> [String]

    /// The text format of Prometheus, version 0.0.4.
    private static let metricsType = "text/plain; version=0.0.4; charset=utf-8"

    private let readiness: Readiness
    private let metrics: @Sendable () -> [UInt8]

    /// `metrics` returns Prometheus text.
    package init(readiness: @escaping Readiness, metrics: @escaping @Sendable () -> [UInt8]) {
        self.readiness = readiness
        self.metrics = metrics
    }

    package func handle(_ request: Request, _ responder: ResponseHandle) {
        switch RouteMatch(request.method, request.target.path, in: OperationsRoute.table) {
        case .route(.live, _):
            responder.respond(Self.text(.ok, "ok\n"))
        case .route(.ready, _):
            Task.immediate(executorPreference: responder.loop) { responder.respond(await self.checkReadiness()) }
        case .route(.metrics, _):
            var response = Self.text(.ok, "")
            response.fields[.contentType] = Self.metricsType
            response.body = self.metrics()
            responder.respond(response.compressible(for: request))
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

    private static func text(_ status: Status, _ text: String) -> Response {
        let fields: Fields = [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]
        return Response(status, fields: fields, body: Array(text.utf8))
    }
}
