import HTTPWire

/// A path that is served, and the methods that it accepts.
protocol ServedRoute: RawRepresentable<String>, Sendable {
    var methods: [Method] { get }
}

extension ServedRoute {
    func url(_ origin: String) -> String { origin + self.rawValue }

    /// Returns the response to a request with another method; nil for an accepted method.
    func refusal(of request: Request) -> Response? {
        guard !self.methods.contains(request.method) else { return nil }
        let allowedMethods = self.methods.map(\.rawValue).joined(separator: ", ")
        return Response(.methodNotAllowed, fields: [.allow: allowedMethods], body: [])
    }
}
