import EndToEndSupport
import StrictJSON
import Testing

/// The logins in progress when an outage starts: one that no browser has opened, one that is done, one whose browser is
/// about to return from the broker, and one that an app creates meanwhile.
struct OutageScene: Sendable {
    private let url: String
    private let operations: String
    private let waiting: PhoneApp
    private let link: String
    private let done: PhoneApp
    private let identity: JSON
    private let donePage: String
    let underWay: PhoneApp
    let comingBack: ScriptedBrowser.Submission
    private let late: PhoneApp

    init(_ url: String, operations: String) async throws {
        self.url = url
        self.operations = operations
        (self.waiting, self.done) = (PhoneApp(url), PhoneApp(url))
        (self.underWay, self.late) = (PhoneApp(url), PhoneApp(url))
        self.link = try #require(try await self.waiting.create("demo").nextURL)
        var browser = try await ScriptedBrowser(opening: try #require(try await self.done.create("demo").nextURL))
        try await browser.submit(button: "approve")
        self.donePage = browser.url
        self.identity = try #require(try await self.done.waitForEnd()["identity"])
        browser = try await ScriptedBrowser(opening: try #require(try await self.underWay.create("demo").nextURL))
        self.comingBack = try await browser.callback(of: .query)
    }

    /// Sends all requests at the same time, and compares the responses with the row.
    func expect(_ row: OutageRow) async throws {
        async let create = self.late.create("demo")
        async let open = TestClient.send("GET", self.link)
        async let callback = ScriptedBrowser.send(self.comingBack)
        async let poll = self.waiting.poll()
        async let result = self.done.poll()
        async let page = TestClient.send("GET", self.donePage)
        async let ready = TestClient.send("GET", "\(self.operations)/readyz")
        let told = try await [create, poll, result, open, callback, page, ready].map(Told.text)
        #expect(told == [row.create, row.poll, row.result, row.open, row.callback, row.page, row.ready])
        #expect(try await TestClient.send("GET", "\(self.operations)/livez").status == 200)
    }

    /// Runs a new login to its end, and returns that in the table's words.
    func wholeLogin() async throws -> String {
        let app = PhoneApp(self.url)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        try await browser.submit(button: "approve")
        return "`\(Told.state(of: try await app.waitForEnd()))`"
    }

    /// Returns how the login whose browser returned ends.
    func end() async throws -> String {
        let answer = try await self.underWay.poll(wait: 25)
        return answer.status == 200 ? "`\(Told.state(of: try #require(answer.json)))`" : Told.text(of: answer)
    }

    /// Checks after the outage that no login is lost or exists twice, and that a login that was gone stays gone.
    func expectNothingIsLost(_ row: OutageRow) async throws {
        // A repeated create gives the same login, whatever the first response was.
        let again = try await self.late.create("demo")
        if row.outage.endsWhatIsNew {
            // After a sweep the same secret may start a new login.
            #expect([201, 410].contains(again.status), "\(again.text)")
        } else {
            #expect(again.status == (row.create.hasPrefix("201") ? 200 : 201), "\(again.text)")
            #expect(try await self.late.create("demo").json?["id"] == again.json?["id"])
        }
        let result = try await self.done.poll()
        if row.result.hasPrefix("410") {
            #expect(result.status == 410)
        } else {
            #expect(result.json?["identity"] == self.identity)
        }
        guard !row.end.contains("failed") else { return }
        // A user who was told to wait reloads the page.
        let answer = try await ScriptedBrowser.send(self.comingBack)
        #expect(answer.status == 303, "\(answer.text)")
        #expect(try await self.end() == row.end)
    }
}
