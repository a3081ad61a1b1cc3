import HTTPServer
import HTTPWire

/// The page at the app's link host. A phone would open the app; this machine shows the link.
package struct AppLinkPage: RequestHandler {
    package init() {}

    package func handle(_ request: Request, _ responder: ResponseHandle) {
        responder.respond(Self.response(to: request))
    }

    static func response(to request: Request) -> Response {
        guard request.method == .get || request.method == .head else {
            return Response(.methodNotAllowed, fields: [.allow: "GET, HEAD"], body: [])
        }
        if request.target.path == WebFile.stylesheet.path { return WebFile.stylesheet.file.response(to: request) }
        return Self.page(for: request.target.raw)
    }

    /// What the app of another phone shows, which does not know the login.
    static var otherPhone: Response {
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>A second phone</h1>
            <p>The link has opened the app on this phone. It has no login that belongs to the link, so it ignores it and \
            shows its first screen.</p>
            <p>The login on the first phone goes on. Without its poll_secret nobody else gets the result.</p>
            <p><a class="button" href="/">Back to the first phone</a></p>
            """
        return PageResponse(title: "A second phone", body: body).response
    }

    private static func page(for link: String) -> Response {
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>Your app would open here</h1>
            <p>On a phone, this link would open the app. The app would get:</p>
            <p><code>\(link)</code></p>
            <p>The phone of this browser has no login that goes on with it.</p>
            <p><a class="button" href="/">To the phone</a></p>
            """
        return PageResponse(title: "Your app would open here", body: body).response
    }
}
