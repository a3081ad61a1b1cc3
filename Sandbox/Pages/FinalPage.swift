import HTTPWire

/// The last page of a login: the broker has responded, or never will.
struct FinalPage: Sendable {
    let title: String
    let text: String
    /// A link that leads away, which the user has to press.
    var link: (url: String, label: String)? = nil

    static let silence = Self(
        title: "No response", text: "You have approved, and the broker does not tell the relying party, as you chose.")

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
