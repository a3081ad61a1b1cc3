import StrictJSON

/// One tab of the workbench, as a part of its page.
struct BenchPanel: Sendable {
    let id: String
    let title: String
    let body: Markup

    /// `ofLogin` is named below the title.
    init(_ id: String, _ title: String, of login: TabbedLogin?, _ body: Markup) {
        self.id = id
        self.title = title
        let about: Markup = login.map { "<p><small>Login \($0.reference), \($0.providerName)</small></p>\n" } ?? ""
        self.body = "\(about)\(body)"
    }

    var markup: Markup {
        """
        <section id="\(self.id)" class="panel" aria-labelledby="\(self.id)-title" data-live>
        <h2 id="\(self.id)-title">\(self.title)</h2>
        \(self.body)
        </section>

        """
    }

    static func shown(_ token: ReadToken) -> Markup {
        """
        <h3>Header</h3>
        <pre>\(token.header.indented)</pre>
        <h3>Claims</h3>
        <pre>\(token.claims.indented)</pre>
        """
    }
}
