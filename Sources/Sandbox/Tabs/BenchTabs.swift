/// What is beside the phone: the timeline of the visitor's calls, and tabs that tell more of one login. Each tab is a
/// link to a part of the page, so it needs no script. The script only keeps the parts up to date.

struct BenchTabs: Sendable {
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

    private var timeline: Markup {
        """
        <section id="timeline" class="panel timeline" aria-labelledby="timeline-title">
        <h2 id="timeline-title">What happens</h2>
        <p>Each line is an HTTP call of your logins, as it happens. Open a line to see what it carried, which rule it \
        follows, and the same call with curl.</p>
        <div class="lane-names" aria-hidden="true">
        <span>App</span><span>Switchback</span><span>Browser</span><span>Broker</span>
        </div>
        <ol id="calls">
        \(self.calls.map { CallRow(call: $0).markup })
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
