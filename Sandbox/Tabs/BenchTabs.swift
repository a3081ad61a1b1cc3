/// What is beside the phone: the timeline of the visitor's calls, and tabs that tell more of one login. Each tab is a
/// link to a part of the page, so it needs no script. The script only keeps the parts up to date.
struct BenchTabs: Sendable {
    /// How many bytes of the timeline a page has: the newest calls. A page stays below 60 KB.
    private static let timelineSize = 32 * 1024

    let calls: [RecordedCall]
    /// Nil before the visitor's first login.
    let login: TabbedLogin?
    /// Nil if the workbench sees no more than the calls.
    let server: BenchServer?
    /// Where the script fetches the tabs again.
    let path: String

    var markup: Markup {
        """
        <div id="tabs" class="tabs" data-from="\(self.path)">
        <nav aria-label="What to look at"><ul>
        <li><a href="#timeline">Calls</a></li>
        \(self.panels.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>\n" as Markup })</ul></nav>
        \(self.timeline)
        \(self.others)</div>
        """
    }

    /// All but the timeline, which the script keeps up to date by itself.
    var others: Markup { "\(self.panels.map(\.markup))" }

    /// The newest calls that fit, the oldest first.
    private var rows: [Markup] {
        var size = 0
        let rows = self.calls.reversed().lazy.map { CallRow(call: $0).markup }.prefix { row in
            size += row.text.utf8.count
            return size <= Self.timelineSize
        }
        return Array(rows).reversed()
    }

    private var timeline: Markup {
        let rows = self.rows
        let older = self.calls.count - rows.count
        let more: Markup =
            older == 0
            ? "" : "<p>\(String(older)) older calls are in <a href=\"/sandbox/calls\">the list of all calls</a>.</p>\n"
        return """
            <section id="timeline" class="panel timeline" aria-labelledby="timeline-title">
            <h2 id="timeline-title">What happens</h2>
            <p>Each line is an HTTP call of your logins, as it happens. Open a line to see what it carried, which rule it \
            follows, and the same call with curl.</p>
            <div class="lane-names" aria-hidden="true">
            <span>App</span><span>Switchback</span><span>Browser</span><span>Broker</span>
            </div>
            \(more)<ol id="calls" data-after="\(String(self.calls.map(\.version).max() ?? 0))">
            \(rows)
            </ol>
            <p id="no-calls"\(self.calls.isEmpty ? "" : " hidden" as Markup)>No login yet. Press a button on the phone.</p>
            </section>
            """
    }

    private var panels: [BenchPanel] {
        let tokens = TokenPanels(calls: self.calls, login: self.login, issuer: self.server?.issuer ?? "")
        let own = [tokens.idToken, tokens.assertion, tokens.session]
        guard let server else { return own }
        let ofServer = ServerPanels(server: server, login: self.login)
        return own + [ofServer.log, ofServer.metrics]
    }
}

/// What the tabs tell of: one login, as the phone's app knows it.
struct TabbedLogin: Sendable {
    let id: String
    let reference: String
    let provider: String
    let providerName: String
    /// Nil until the login has completed.
    let assertion: String?
    /// The one that the app's API gave the app for this login.
    let nonce: String
}
