/// What a person sees when a request is so wrong that nobody can be told but him.
import HTTPWire

struct ErrorPage: Sendable {
    var status = Status.badRequest
    let code: String
    let description: String

    var response: Response {
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>This request cannot be answered</h1>
            <p>\(self.description)</p>
            <p><code>\(self.code)</code></p>
            """
        return PageResponse(status: self.status, title: "Refused", body: body).response
    }
}
