import HTTPWire

/// A page of the workbench: the phone, and beside it the timeline of the visitor's calls. With script the timeline is
/// live; without, it is as of the page's loading.
struct PhonePage: Sendable {
    let title: String
    /// What the phone shows.
    let phone: Markup
    let tabs: BenchTabs
    /// Where the phone's part is fetched again while the login goes on.
    var follows: String?
    /// Whether a page without script loads again by itself.
    var refreshes = true
    /// Whether it loads the script of sessions too.
    var hasSessions = false

    var response: Response {
        let follows: Markup = self.follows.map { " data-follows=\"\($0)\"" } ?? ""
        let body: Markup = """
            <a class="skip" href="#tabs">Skip to what happens</a>
            <p id="told" class="told" role="status"></p>
            \(self.bar)
            <p id="silence" class="said bad" role="status"></p>
            <div class="bench">
            <section id="phone" class="phone" aria-label="The phone"\(follows)>
            \(self.phone)
            </section>
            \(self.tabs.markup)
            </div>
            <script src="\(WebFile.benchScript.path)"></script>
            \(self.hasSessions ? "<script src=\"\(WebFile.phoneScript.path)\"></script>" : "" as Markup)
            """
        var page = PageResponse(
            title: self.title, body: body, look: "workbench", formTargets: ["'self'"], hasOwnScript: true)
        if self.refreshes { page.refresh = self.follows.map { (2, "\($0)&look=1") } }
        return page.response
    }

    /// What this is, and where the server says more.
    private var bar: Markup {
        guard let origin = self.tabs.server?.issuer else { return "" }
        return """
            <div class="bar"><p>Switchback’s sandbox</p> <a href="/">Start</a> <a href="\(origin)/problems">All errors</a> \
            <a href="\(origin)/openapi.yaml">The API</a></div>
            """
    }
}
