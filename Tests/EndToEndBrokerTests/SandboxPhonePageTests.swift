import Base
import EndToEndSupport
import EventLoop
import Foundation
import HTTPServer
import HTTPWire
import Sandbox
import TestSupport
import Testing

/// A server, a broker, and a phone whose app has its links there.
private struct PhoneStage {
    let server: RunningServer
    let phone: String
    private let pages: HTTPServer
    private let loop: EventLoop

    init(release: String, variant: BrokerVariant = .query) async throws {
        let port = try FreePort.find()
        let origin = "http://localhost:\(port)"
        let server = try await RunningServer.start(
            [variant], release: release, app: "return_prefixes: [\"\(origin)/r/\"]", link: origin)
        let url = server.url
        let phone = SandboxPhone(
            origin: origin, apps: [SandboxPhone.App(id: "demo", name: "Demo")],
            send: { call in
                let answer = try await TestClient.send(
                    call.method.rawValue, url + call.path, fields: call.fields,
                    body: call.body)
                let fields = answer.fields.map { Parameter($0.name.description, $0.value) }
                return PhoneRequest.Answer(status: answer.status, fields: fields, body: answer.body)
            }, now: WallClock.now)
        self.loop = try EventLoop(name: "phone")
        self.pages = HTTPServer(
            listen: try #require(ListenAddress("127.0.0.1:\(port)")), loops: [self.loop], handler: phone)
        _ = try self.pages.start()
        self.server = server
        self.phone = origin
    }

    func end() async {
        await self.pages.close()
        self.loop.close()
        await self.server.stop()
    }

    /// Presses the button on the first page.
    func begin(_ provider: String) async throws -> ScriptedBrowser {
        var app = try await ScriptedBrowser(opening: self.phone + "/")
        try await app.submit(["app": "demo", "platform": "ios", "eid_app": "yes"], button: provider)
        return app
    }
}

extension ScriptedBrowser {
    fileprivate var heading: String { self.page.text.firstMatch(of: /<h1>([^<]*)</).map { String($0.1) } ?? "" }

    fileprivate func link(_ label: String) throws -> String {
        let links = self.page.text.matches(of: /<a\b[^>]*href="([^"]+)"[^>]*>([^<]*)</)
        return Self.unescaped(String(try #require(links.first { $0.2.contains(label) }).1))
    }

    /// Presses a button that is the only one in its form.
    fileprivate mutating func press(_ button: String, _ changes: [Parameter] = []) async throws {
        let form = try #require(Self.forms(in: self.page.text).first { $0.buttons.contains { $0.value == button } })
        let target = try #require(URL(string: form.action, relativeTo: URL(string: self.url))?.absoluteString)
        let body = FormBody.encode(changes + [Parameter("press", button)])
        try await self.perform(Submission(method: "POST", url: target, body: Array(body.utf8)))
    }

    /// Refreshes the page as its own Refresh does.
    fileprivate mutating func look() async throws {
        self = try await ScriptedBrowser(opening: self.url.prefix { $0 != "?" } + "?look=1", cookies: self.cookies)
    }
}

/// Uses the sandbox's phone only by pressing its buttons, and checks that its pages show what the server says.
@Suite(.blocking) struct SandboxPhonePageTests {
    @Test func `a login completes by the button of the last page`() async throws {
        let variant = BrokerVariant.query
        let stage = try await PhoneStage(release: "return_link")
        var app = try await stage.begin(variant.name)
        #expect(app.heading == "Sandbox: pending")
        #expect(app.page.text.contains("<noscript><meta http-equiv=\"refresh\" content=\"2; url=/login/"))
        var browser = try await ScriptedBrowser(opening: try app.link("Open the browser"))
        try await browser.submit(button: "approve")
        try await app.look()
        #expect(app.page.text.contains("Go back to the browser"))
        try await app.press("minimise")
        #expect(app.page.text.contains("The code on the browser's page"))
        let shown = try await ScriptedBrowser(opening: try app.link("Show the page again"), cookies: browser.cookies)
        #expect(try shown.link("Demo") == browser.link("Demo"))
        let link = try browser.link("Demo")
        let other = try await ScriptedBrowser(opening: link)
        #expect(other.heading == "Your app would open here", "a link opens nothing on another visitor's phone")
        let page = try await ScriptedBrowser(opening: app.url)
        #expect(page.heading == "This request cannot be processed", "nobody sees another visitor's login")
        let back = try await ScriptedBrowser(opening: link, cookies: app.cookies)
        #expect(back.heading == "Sandbox: completed")
        #expect(back.page.text.contains("Freja Lindegaard"))
        #expect(!back.page.text.contains("http-equiv=\"refresh\""))

        try await app.look()
        #expect(app.heading == "Sandbox: completed")
        try await app.press("done")
        #expect(app.page.text.contains("the server has deleted it"))
        await stage.end()
    }

    @Test func `a login completes by the code of the last page`() async throws {
        let variant = BrokerVariant.query
        let stage = try await PhoneStage(release: "code")
        var app = try await stage.begin(variant.name)
        var browser = try await ScriptedBrowser(opening: try app.link("Open the browser"))
        try await browser.submit(button: "approve")
        // On a busy machine the code is still being exchanged.
        let end = Patience.end
        while app.heading != "Sandbox: awaiting_return", ContinuousClock.now < end { try await app.look() }
        #expect(app.heading == "Sandbox: awaiting_return")
        #expect(!app.page.text.contains("http-equiv=\"refresh\""), "no refresh interrupts typing")
        // On a busy machine the page says first that the login goes on.
        for _ in 0..<500 where browser.code == nil {
            try await Task.sleep(for: .milliseconds(10))
            try await browser.reload()
        }
        try await app.press("code", [Parameter("code", try #require(browser.code))])
        #expect(app.heading == "Sandbox: completed")
        await stage.end()
    }

    @Test func `a login is cancelled on the phone`() async throws {
        let variant = BrokerVariant.query
        let stage = try await PhoneStage(release: "return_link")
        var app = try await stage.begin(variant.name)
        for _ in 0..<2 {
            try await app.press("minimise")
            #expect(app.heading == "Sandbox: pending")
            #expect(app.page.text.contains("Give up"))
            let again = try await ScriptedBrowser(opening: try app.link("Continue in the browser"))
            #expect(again.form != nil)
        }
        try await app.press("cancel")
        #expect(app.heading == "Sandbox: cancelled")
        #expect(app.page.text.contains("app_cancelled"))
        // A link that belongs to no saved login shows what it would open without an app.
        let link = try await ScriptedBrowser(opening: stage.phone + "/r/?p=x")
        #expect(link.heading == "Your app would open here")
        await stage.end()
    }

    /// The broker's response itself is the link.
    @Test func `a login whose response opens the app completes`() async throws {
        let variant = BrokerVariant.app
        let stage = try await PhoneStage(release: "return_link", variant: variant)
        var app = try await stage.begin(variant.name)
        var browser = try await ScriptedBrowser(opening: try app.link("Open the browser"), cookies: app.cookies)
        try await browser.submit(button: "approve")
        #expect(browser.url.hasPrefix(stage.phone + "/login/"))
        let end = Patience.end
        while app.heading != "Sandbox: completed", ContinuousClock.now < end { try await app.look() }
        #expect(app.heading == "Sandbox: completed")
        #expect(app.page.text.contains("<dd>callback_link</dd>"))
        await stage.end()
    }

    @Test func `an unknown login or app is refused`() async throws {
        let stage = try await PhoneStage(release: "return_link")
        #expect(try await TestClient.send("GET", stage.phone + "/login/nobody's").status == 400)
        var app = try await ScriptedBrowser(opening: stage.phone + "/")
        try await app.submit(["app": "nobody's"], button: BrokerVariant.query.name)
        #expect(app.heading == "This request cannot be processed")
        await stage.end()
    }
}
