/// The top of an e-ID's page: a sign, that it is not the real e-ID, and who asks the user to log in.
struct EIDHeading: Sendable {
    let eID: SandboxEID
    let client: SandboxClient

    var title: String { self.eID == .sandbox ? "Who are you today?" : "Log in with \(self.eID.name)" }

    var markup: Markup {
        """
        <header>
        <span class="sign" aria-hidden="true">\(self.eID.sign)</span>
        <p class="badge">\(self.eID == .sandbox ? "Sandbox" : "Sandbox, not the real \(self.eID.name)")</p>
        </header>
        <h1>\(self.title)</h1>
        <p><strong>\(self.client.name)</strong> asks you to log in. All users here are fictional.</p>
        """
    }
}
