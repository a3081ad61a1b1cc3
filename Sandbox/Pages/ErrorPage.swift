import HTTPWire

/// The page that the user sees when a request is so wrong that the client cannot be told.
struct ErrorPage: Sendable {
    var status = Status.badRequest
    let code: String
    let description: String

    var response: Response {
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>This request cannot be processed</h1>
            <p>\(self.description)</p>
            <p><code>\(self.code)</code></p>
            """
        return PageResponse(status: self.status, title: "Refused", body: body).response
    }
}
