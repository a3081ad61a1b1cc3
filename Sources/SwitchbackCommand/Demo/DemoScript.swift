import Base

/// The scenes of a demo: a login that fails because the broker misbehaves, and the next one, which survives an app
/// that is killed and a wrong code.
struct DemoScript {
    let plan: SandboxPlan
    let timeline: DemoTimeline

    /// The signature of the broker's ID token is wrong.
    private static let fault = "oidcc-client-test-invalid-sig-rs256"

    func run() async throws {
        let transport = try DemoTransport(self.plan, self.timeline)
        do {
            try await self.failure(transport)
            try await self.recovery(transport)
        } catch {
            await transport.close()
            throw error
        }
        await transport.close()
    }

    private func failure(_ transport: DemoTransport) async throws {
        self.timeline.title("1. A login fails: the signature of the broker's ID token is wrong")
        let app = DemoApp(transport, server: self.plan.publicURL)
        var browser = DemoBrowser(transport)
        let login = try await app.create()
        try await browser.open(login.url ?? "")
        try await browser.approve(fault: Self.fault)
        let endedLogin = try await self.poll(app, login)
        try Self.expect(endedLogin, "failed")
        self.timeline.remark(
            "failed: \(endedLogin.reason ?? "no reason"). Nobody is logged in, and the app offers another try.")
        try await app.delete(login)
    }

    private func recovery(_ transport: DemoTransport) async throws {
        self.timeline.title("2. The next login recovers: the app is killed, and the user types a wrong code")
        let app = DemoApp(transport, server: self.plan.publicURL)
        var browser = DemoBrowser(transport)
        let login = try await app.create()
        try await browser.open(login.url ?? "")
        self.timeline.remark(
            "The system kills the app. The new process asks again with the secret that it stored first.")
        let again = try await app.create()
        guard again.id == login.id else { throw OperatorError("the demo got another login for the same secret") }
        try await browser.approve()
        guard let code = browser.code else { throw OperatorError("the demo found no code on the done page") }
        self.timeline.remark("The user is known, but the result waits for proof that this user has the app in hand.")
        _ = try await app.send(code: code == "000000" ? "000001" : "000000", of: login)
        self.timeline.remark("A wrong code ends nothing. The page still shows the right one.")
        let result = try await app.send(code: code, of: login)
        try Self.expect(result, "completed")
        self.timeline.remark("completed: \(result.subject ?? "")")
        try await app.delete(login)
    }

    /// The server learns the outcome a moment after the browser.
    private func poll(_ app: DemoApp, _ login: DemoLogin) async throws -> DemoLogin {
        var current = try await app.poll(login)
        for _ in 0..<50 where !current.isFinal {
            try await Task.sleep(for: .milliseconds(100))
            current = try await app.poll(login)
        }
        return current
    }

    private static func expect(_ login: DemoLogin, _ status: String) throws(OperatorError) {
        guard login.status == status else {
            throw OperatorError("the demo's login is \(login.status) \(login.reason ?? ""), and not \(status)")
        }
    }
}
