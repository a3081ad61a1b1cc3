/// The page at the app's link host. A phone would open the app; this machine shows the link.
import HTTPServer
import HTTPWire

package struct AppLinkPage: RequestHandler {
    package init() {}

    package func handle(_ request: Request, _ responder: ResponseHandle) {
        responder.respond(Self.response(to: request))
    }

    static func response(to request: Request) -> Response {
        guard request.method == .get || request.method == .head else {
            return Response(.methodNotAllowed, fields: [.allow: "GET, HEAD"], body: [])
        }
        if request.target.path == Stylesheet.path { return Stylesheet.file.response(to: request) }
        return Self.page(for: request.target.raw)
    }

    private static func page(for link: String) -> Response {
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>Your app would open here</h1>
            <p>On a phone, this link would open the app. The app would get:</p>
            <p><code>\(link)</code></p>
            """
        return PageResponse(title: "Your app would open here", body: body).response
    }
}
