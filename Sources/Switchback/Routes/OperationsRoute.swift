/// What those who run the server can ask it for, on a port of its own.
package enum OperationsRoute: Equatable, Sendable {
    case live
    case ready
    case metrics
}

extension OperationsRoute {
    static let table: [Endpoint<OperationsRoute>] = [
        Endpoint(.get, "/livez", .live),
        Endpoint(.get, "/readyz", .ready),
        Endpoint(.get, "/metrics", .metrics),
    ]
}
