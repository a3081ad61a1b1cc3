import HTTPServer
import HTTPWire

/// Records the calls to a handler, and passes them on.
package struct RecordingHandler: RequestHandler {
    /// The lane of the server that gets the request.
    package enum Site: Sendable {
        case server
        case broker
        /// The links that open the app.
        case app
    }

    /// How the `User-Agent` of the server's own requests begins.
    private static let agentOfServers = "Switchback"

    private let handler: any RequestHandler
    private let recorder: CallRecorder
    private let site: Site

    package init(_ handler: any RequestHandler, at site: Site, _ recorder: CallRecorder) {
        self.handler = handler
        self.recorder = recorder
        self.site = site
    }

    package func handle(_ request: Request, _ handle: ResponseHandle) {
        if let (from, to) = self.lanes(request) { self.recorder.begin(request, handle.key, from: from, to: to) }
        self.handler.handle(self.recorder.colors.begin(request, handle.key), handle)
    }

    package func response(to refusal: ServerRefusal) -> Response { self.handler.response(to: refusal) }

    /// Returns nil for a call that is not part of a login, such as a stylesheet.
    private func lanes(_ request: Request) -> (from: CallLane, to: CallLane)? {
        let path = request.target.path
        guard !path.hasSuffix(".css"), !path.hasSuffix(".js"), !path.hasSuffix(".ico"), !path.hasSuffix(".yaml") else {
            return nil
        }
        let agent = request.fields[.userAgent] ?? ""
        switch self.site {
        case .server:
            if ["/v1/", "/oauth/"].contains(where: path.hasPrefix) { return (.app, .switchback) }
            let ofBrowsers = ["/go/", "/callback/", "/done/", "/return"]
            return ofBrowsers.contains(where: path.hasPrefix) ? (.browser, .switchback) : nil
        case .broker: return (agent.hasPrefix(Self.agentOfServers) ? .switchback : .browser, .broker)
        case .app: return (.browser, .app)
        }
    }
}
