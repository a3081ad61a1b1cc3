/// A page after which nothing comes: the broker has said what it has to say, or says nothing.
import HTTPWire

struct LastPage: Sendable {
    let title: String
    let text: String
    /// Out of here, by a link that a person presses.
    var link: (url: String, label: String)? = nil

    static let silence = Self(
        title: "Nobody hears of it", text: "You have approved, and the broker keeps it to itself, as you wanted.")

    var response: Response {
        let link: Markup = self.link.map { "<p><a class=\"button\" href=\"\($0.url)\">\($0.label)</a></p>" } ?? ""
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>\(self.title)</h1>
            <p>\(self.text)</p>
            \(link)
            """
        return PageResponse(title: self.title, body: body).response
    }
}
