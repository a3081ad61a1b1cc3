import HTTPServer
import HTTPWire
import StrictJSON

/// Answers the requests of a route. Each row of `PublicRoutes` makes its own.
protocol RouteHandler: Sendable {
    /// Makes sure that the request gets its response, now or later. `parameter` is what the `*` of the path matched.
    /// Call it on the request's loop.
    func begin(_ context: RequestContext, _ parameter: String)
}

/// A handler whose work ends with the response.
///
/// It is a class, so that the work on a request holds a reference and not a copy.
protocol RespondingHandler: RouteHandler, AnyObject {
    nonisolated(nonsending) func respond(
        to context: RequestContext, _ parameter: String
    ) async throws(Problem) -> Response
}

extension RespondingHandler {
    func begin(_ context: RequestContext, _ parameter: String) {
        context.respondAsync { () async throws(Problem) in try await self.respond(to: context, parameter) }
    }
}

/// Sends a file that is kept in memory.
struct FileHandler: RouteHandler {
    /// Returns the file with this name. Nil if there is none.
    private let file: @Sendable (String) -> StaticFile?

    /// The file has the name that the `*` of the path matches.
    init(named file: @escaping @Sendable (String) -> StaticFile?) { self.file = file }

    /// Nil if this configuration has no such file.
    init?(_ file: StaticFile?) {
        guard let file else { return nil }
        self.file = { _ in file }
    }

    /// The same for a file of JSON.
    init?(json: JSON?) { self.init(json.map { StaticFile(json: $0) }) }

    func begin(_ context: RequestContext, _ name: String) {
        guard let file = self.file(name) else { return context.refuse(Problem(.notFound)) }
        let response = file.response(to: context.request)
        guard response.status != .preconditionFailed else { return context.refuse(Problem(.preconditionFailed)) }
        context.respond(response)
    }
}
