/// The tabs about the server: its log lines of the login, and its metrics.
struct ServerPanels: Sendable {
    let server: BenchServer
    let login: TabbedLogin?

    var log: BenchPanel {
        let lines = self.login.map { self.server.log.lines(of: $0.id) } ?? []
        let none: Markup = "<p><strong>There is no line yet.</strong> Press a button on the phone.</p>"
        return BenchPanel(
            "log", "Log", of: self.login,
            """
            <p>What the server logs of this login, from the level <code>debug</code> on. No line contains a secret, a \
            token or who the user is. Your support finds a login by its reference.</p>
            \(lines.isEmpty ? none : "<pre>\(lines.joined(separator: "\n"))</pre>" as Markup)
            """)
    }

    /// Of everyone's logins: metrics tell of nobody.
    var metrics: BenchPanel {
        let none: Markup = "<p><strong>There are none yet.</strong> Press a button on the phone.</p>"
        let lines = self.lines
        return BenchPanel(
            "metrics", "Metrics", of: nil,
            """
            <p>What the server has counted of everyone’s logins with this provider since it started, without what is \
            still 0. No label names a user or a login.</p>
            <p><a href="\(self.server.metricsURL)">All metrics</a></p>
            \(lines.isEmpty ? none : "<pre>\(lines.joined(separator: "\n"))</pre>" as Markup)
            """)
    }

    private var lines: [String] {
        guard let login else { return [] }
        let label = "provider=\"\(login.provider)\""
        return String(decoding: self.server.metrics(), as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.contains(label) && !$0.contains("_bucket{") && !$0.hasSuffix(" 0") }
    }
}

/// What the workbench shows of the server itself.
package struct BenchServer: Sendable {
    let issuer: String
    let log: LoginLog
    let metricsURL: String
    /// In the format of `metricsURL`.
    let metrics: @Sendable () -> [UInt8]

    package init(issuer: String, log: LoginLog, metricsURL: String, metrics: @escaping @Sendable () -> [UInt8]) {
        self.issuer = issuer
        self.log = log
        self.metricsURL = metricsURL
        self.metrics = metrics
    }
}
