import Base
import StrictJSON

/// A call as a line of the timeline: an arrow between two lanes, and behind it what the call carried.
struct CallRow: Sendable {
    let call: RecordedCall
    /// Whether the server refused what the response says.
    var isRefused = false

    var markup: Markup {
        """
        <li id="call-\(String(self.call.number))" class="\(self.classes)"><details>
        <summary><span class="lanes">\(self.call.from.name) → \(self.call.to.name)</span> <span class="arrow">\
        <code>\(self.call.method) \(self.path)</code> <span class="status">\(self.status)</span></span></summary>
        <div class="call"><p>\(self.call.rule)</p>
        <p><small>\(self.call.at.rfc3339)</small></p>
        <h3>Request</h3>
        <pre>\(Self.text(self.call.request))</pre>
        \(self.response)
        <h3>The same with curl</h3>
        <pre class="curl">\(self.curl)</pre>
        \(self.copy)</div></details></li>
        """
    }

    /// What is whole and runs as it is: for the visitor of the login only, or of no login, as the broker's keys are.
    private var copy: Markup {
        guard self.call.login != nil || self.call.isOfAll, self.call.sentRequest != nil else { return "" }
        let path = "/sandbox/calls/\(self.call.number)/curl"
        return """
            <p><small>Values are cut here. The copy has them whole, and runs as it is.</small></p>
            <p><button type="button" data-copy="\(path)" hidden>Copy as curl</button> <a href="\(path)">The command as \
            text</a></p>
            """
    }

    private var classes: String {
        var classes = ["from-\(self.call.from.rawValue)", "to-\(self.call.to.rawValue)"]
        if self.call.isCreate { classes.append("begins") }
        if self.call.status == nil, !self.call.isLeft { classes.append(self.call.isBroken ? "bad" : "held") }
        if self.isRefused || self.call.status.map({ $0 >= 400 }) == true { classes.append("bad") }
        return classes.joined(separator: " ")
    }

    /// Without the query, which is in the request. A line may end before each slash.
    private var path: Markup {
        Markup(text: Markup.escaped(String(self.call.path.prefix { $0 != "?" })).replacing("/", with: "<wbr>/"))
    }

    private var status: String {
        if self.call.isClosed { return "connection closed, no response" }
        guard let status = self.call.status else {
            guard self.call.isCutOff else { return "waiting" }
            return self.call.isLeft ? "cut off by the \(self.call.from.rawValue)" : "cut off"
        }
        let mark = status >= 400 || self.isRefused ? "✗ " : ""
        if self.isRefused, status < 400 { return "\(mark)\(status), refused" }
        guard let milliseconds = self.call.tookMilliseconds else { return "\(mark)\(status)" }
        let time =
            milliseconds < 1000
            ? "\(milliseconds) ms" : "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
        return "\(mark)\(status), \(time)"
    }

    private var response: Markup {
        guard let response = self.call.response, let status = self.call.status else { return "" }
        return """
            <h3>Response</h3>
            <pre>\(String(status))\n\(Self.text(response))</pre>
            """
    }

    private static func text(_ message: RecordedCall.Message) -> String {
        let fields = message.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        return message.body.isEmpty ? fields : fields + "\n\n" + Self.readable(message.body)
    }

    private static func readable(_ body: String) -> String {
        guard body.hasPrefix("{") || body.hasPrefix("["), let json = try? JSON(parsing: Array(body.utf8)) else {
            return body
        }
        return json.indented
    }

    /// Its values are cut as everywhere here. The copy has them whole.
    private var curl: String {
        SentRequest(
            method: self.call.method, url: "http://\(self.call.host)\(self.call.path)",
            fields: self.call.request.fields, body: Array(self.call.request.body.utf8)
        ).curl
    }
}

extension RecordedCall {
    /// Whether the app or the browser has left by itself, as an app does that has got a link. Nothing is wrong then.
    fileprivate var isLeft: Bool { self.isCutOff && [.app, .browser].contains(self.from) }

    fileprivate var isBroken: Bool { self.isCutOff || self.isClosed }
}

extension CallLane {
    /// As people read it.
    var name: String {
        switch self {
        case .app: "App"
        case .switchback: "Switchback"
        case .browser: "Browser"
        case .broker: "Broker"
        }
    }
}
