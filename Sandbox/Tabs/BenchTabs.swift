/// What is beside the phone: the timeline of the visitor's calls, and tabs that tell more of one login. Each tab is a
/// link to a part of the page, so it needs no script. The script only keeps the parts up to date.
struct BenchTabs: Sendable {
    /// How many bytes of the timeline a page has: the newest calls. A page stays below 60 KB.
    private static let timelineSize = 32 * 1024
    /// Of how many logins it has the first call, whatever came after it.
    private static let mostLogins = 4

    let calls: [RecordedCall]
    /// Nil before the visitor's first login.
    let login: TabbedLogin?
    /// Nil if the workbench sees no more than the calls.
    let server: BenchServer?
    /// Where the script fetches the tabs again.
    let path: String

    var markup: Markup {
        """
        <div id="tabs" class="tabs" tabindex="-1" data-from="\(self.path)">
        <nav aria-label="What to look at"><ul>
        <li><a href="#timeline">Calls</a></li>
        \(self.panels.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>\n" as Markup })</ul></nav>
        \(self.timeline)
        \(self.others)</div>
        """
    }

    /// All but the timeline, which the script keeps up to date by itself.
    var others: Markup { "\(self.panels.map(\.markup))" }

    /// What the script fetches again: why the login failed, and all tabs but the timeline.
    var renewed: Markup { "\(self.why)\n\(self.others)" }

    /// Why the login failed, if the server refused what the broker sent.
    private var failedCheck: FailedCheck? {
        guard let login, let server else { return nil }
        return FailedCheck(log: server.log.lines(of: login.id))
    }

    /// The newest calls that fit, and the first call of each login, the oldest first.
    private var rows: [Markup] {
        let refused = self.login.flatMap { self.failedCheck?.call(in: self.calls, of: $0.id)?.number }
        func row(_ call: RecordedCall) -> Markup { CallRow(call: call, isRefused: call.number == refused).markup }
        let first = self.calls.filter(\.isCreate).suffix(Self.mostLogins).map { ($0.number, row($0)) }
        var size = first.reduce(0) { $0 + $1.1.text.utf8.count }
        let newest = self.calls.reversed().filter { !$0.isCreate }.lazy.map { ($0.number, row($0)) }.prefix { row in
            size += row.1.text.utf8.count
            return size <= Self.timelineSize
        }
        return (first + Array(newest)).sorted { $0.0 < $1.0 }.map(\.1)
    }

    private var script: Markup {
        guard let login, !login.id.isEmpty else { return "" }
        let path = "/sandbox/logins/\(login.id)/script"
        return """
            <p><button type="button" data-copy="\(path)" hidden>Copy this login as a shell script</button> \
            <a href="\(path)">The script as text</a></p>

            """
    }

    /// In words, for everyone: the script keeps it up to date, and a screen reader hears it.
    private var why: Markup {
        guard let login, let check = self.failedCheck else { return "<div id=\"why\" class=\"why\"></div>" }
        let call = check.call(in: self.calls, of: login.id)
        let place: Markup = call.map { " data-call=\"call-\(String($0.number))\"" } ?? ""
        // No status of an HTTP response says it: the server refuses many that are 200.
        let name: Markup =
            call.map { call in
                let path = String(call.path.prefix { $0 != "?" })
                return " at <code>\(call.method) \(path)</code>"
            } ?? ""
        let link: Markup =
            call.map { "<p><a href=\"#call-\(String($0.number))\">Go to this call</a></p>" } ?? ""
        return """
            <div id="why" class="why"\(place)><p>\
            <strong>✗ \(login.providerName), \(login.reference): failed\(name).</strong> \(check.meaning) \
            The log says <code>\(check.word)</code>.</p>\(link)</div>
            """
    }

    private var timeline: Markup {
        let rows = self.rows
        let older = self.calls.count - rows.count
        let more: Markup =
            older == 0
            ? ""
            : """
            <p>\(older == 1 ? "One older call is" : "\(older) older calls are") in \
            <a href="/sandbox/calls">the list of all calls</a>, as JSON.</p>

            """
        return """
            <section id="timeline" class="panel timeline" aria-labelledby="timeline-title">
            <h2 id="timeline-title">What happens</h2>
            <p>Each line is an HTTP call of your logins, as it happens. Open a line to see what it carried, which rule it \
            follows, and the same call with curl.</p>
            \(self.script)\(self.why)
            <div class="lane-names" aria-hidden="true">
            <span>App</span><span>Switchback</span><span>Browser</span><span>Broker</span>
            </div>
            \(more)<ol id="calls" data-after="\(String(self.calls.map(\.version).max() ?? 0))">
            \(rows)
            </ol>
            <div id="no-calls"\(self.calls.isEmpty ? "" : " hidden" as Markup)>
            \(Self.example)
            <p>No login yet. Press a button on the phone, and each call appears here.</p>
            </div>
            </section>
            """
    }

    /// What will come, in place of an empty page: grey arrows between the lanes.
    private static var example: Markup {
        let rows = [
            ("app", "switchback", "POST /v1/logins"), ("browser", "switchback", "GET /go/…"),
            ("browser", "broker", "GET /authorize"), ("switchback", "broker", "POST /token"),
            ("browser", "app", "GET /r/…"),
        ]
        let list = rows.map { from, to, call -> Markup in
            """
            <li class="from-\(from) to-\(to)"><div class="row"><span class="arrow"><code>\(call)</code></span>\
            </div></li>

            """
        }
        return "<ol class=\"example\" aria-hidden=\"true\">\n\(list)</ol>"
    }

    private var panels: [BenchPanel] {
        let tokens = TokenPanels(
            calls: self.calls, login: self.login, issuer: self.server?.issuer ?? "", failedCheck: self.failedCheck)
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
    /// As the phone's app knows it.
    let status: String
    /// Nil until the login has completed.
    let assertion: String?
    /// The one that the app's API gave the app for this login.
    let nonce: String
}
