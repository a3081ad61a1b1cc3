import Base

/// What a sandbox prints when it has started: one page to open, and one command to paste.
struct SandboxTour {
    private let plan: SandboxPlan
    /// As an app makes it, before it creates a login.
    private let pollSecret: String

    init(_ plan: SandboxPlan, pollSecret: String = Base64URL.encode(RandomBytes.make(32))) {
        self.plan = plan
        self.pollSecret = pollSecret
    }

    /// At most twelve lines, so that they fit below a build. The command may be pasted again: it shows the same login.
    var text: String {
        """

        Switchback's sandbox runs at \(self.plan.publicURL). This page is a phone with an app. Open it, and log in:

           \(self.plan.linkURL)/

        Or be the app. Paste this in a second terminal, and open the "url" that it prints:

           \(self.command)

        The README continues from there. API: \(self.plan.publicURL)/openapi.yaml  Metrics: \(self.plan.metricsURL)
        Ctrl-C stops it.

        """
    }

    private var command: String {
        "curl -s \(self.plan.publicURL)/v1/logins -H 'Content-Type: application/json' "
            + "-d '{\"provider\": \"\(SandboxFlow.sandbox.rawValue)\", \"poll_secret\": \"\(self.pollSecret)\"}' "
            + "| jq '{id, status, next: .next | {action, url}}'"
    }
}
