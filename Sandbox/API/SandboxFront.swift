import HTTPServer
import HTTPWire

/// What a sandbox serves at its server's address: the way to the workbench, the sandbox's own API, and the server
/// itself, whose calls are recorded.
package struct SandboxFront: RequestHandler {
    private let home: String
    private let api: SandboxAPI
    private let server: any RequestHandler

    /// `home` is the URL of the workbench.
    package init(home: String, api: SandboxAPI, server: any RequestHandler, recorder: CallRecorder) {
        self.home = home
        self.api = api
        self.server = RecordingHandler(server, at: .server, recorder)
    }

    package func handle(_ request: Request, _ handle: ResponseHandle) {
        let path = request.target.path
        if path == "/", request.method == .get || request.method == .head {
            return handle.respond(
                Response(
                    .seeOther,
                    fields: [
                        .location: self.home, .cacheControl: "no-store", .referrerPolicy: "no-referrer",
                        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
                        .xContentTypeOptions: "nosniff",
                    ], body: []))
        }
        if path.hasPrefix(SandboxAPI.path) { return self.api.handle(request, handle) }
        self.server.handle(request, handle)
    }

    package func response(to refusal: ServerRefusal) -> Response { self.server.response(to: refusal) }
}

/// What a sandbox serves at the host of the app's links: the phone, and the sandbox's own API for its pages.
package struct SandboxLinks: RequestHandler {
    private let phone: SandboxPhone
    private let api: SandboxAPI

    package init(phone: SandboxPhone, api: SandboxAPI) {
        self.phone = phone
        self.api = api
    }

    package func handle(_ request: Request, _ handle: ResponseHandle) {
        if request.target.path.hasPrefix(SandboxAPI.path) { return self.api.handle(request, handle) }
        self.phone.handle(request, handle)
    }
}
