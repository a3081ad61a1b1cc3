import HTTPWire
import Sandbox
import StrictJSON
import Testing

/// Idura's launch links for Swedish BankID on the same device.
@Suite struct LaunchLinkTests {
    static let back = "http%3A%2F%2F127.0.0.1%3A1%2Fcallback%2Fsandbox"

    static let redirects: [(hint: String, redirect: String)] = [
        ("appswitch:ios", back),
        ("appswitch:ios appswitch:resumeUrl:https://app.example/r/?p=1", "https%3A%2F%2Fapp.example%2Fr%2F%3Fp%3D1"),
        ("appswitch:android", "null"),
        ("appswitch:android appswitch:resumeUrl:https://app.example/r/", "null"),
    ]

    @Test(arguments: redirects)
    func `the links say where to go back`(row: (hint: String, redirect: String)) async throws {
        let stage = try Stage(system: .idura)
        let launch = try await BankIDWalk(stage: stage).launch(["login_hint": row.hint])
        #expect(launch.universalLink.hasPrefix(stage.issuer + "/bankid/?autostarttoken="))
        #expect(launch.customFileHandlerURL.hasPrefix("bankid:///?autostarttoken="))
        for link in [launch.universalLink, launch.customFileHandlerURL] {
            #expect(link.hasSuffix("&redirect=" + row.redirect))
            #expect(stage.provider.bankIDAppURL(forLaunchLink: link) == launch.universalLink)
        }
        for url in [launch.complete, launch.cancel, try #require(launch.poll)] {
            #expect(url.hasPrefix(stage.issuer + "/"))
        }
        #expect(stage.provider.bankIDAppURL(forLaunchLink: launch.complete) == nil)
        await stage.end()
    }

    @Test func `a login completes by JSON`() async throws {
        let stage = try Stage(system: .idura)
        let walk = BankIDWalk(stage: stage)
        let launch = try await walk.launch()
        let poll = try #require(launch.poll)
        #expect(try await walk.get(poll).status == 202)
        let early = try await walk.get(launch.complete)
        #expect(early.status == 400)
        #expect(early["content-type"] == "text/plain; charset=utf-8")
        #expect(early.text == "Native app driven authentication is not done")

        let page = try await walk.open(launch.universalLink)
        #expect(page.status == 200)
        #expect(!page.text.contains("<script"))
        #expect(try await walk.get(poll).status == 202)
        let last = try await walk.press("approve", on: page, person: "elin")
        #expect(last.text.contains("<a class=\"button\" href=\"http://127.0.0.1:1/callback/sandbox\">"))
        let polled = try await walk.get(poll)
        #expect(polled.status == 200)
        #expect(try JSON(parsing: polled.body)["targetUrl"]?.string == launch.complete)

        let arrival = try await walk.location(launch)
        #expect(arrival.uri == Stage.redirectURI)
        #expect(arrival["state"] == "a-state")
        #expect(try await walk.location(launch)["code"] == arrival["code"], "the same, however often")
        let tokens = try await Tokens(stage, code: try #require(arrival["code"]), fields: [stage.basic()])
        let claims = try await tokens.claims(allowing: .rs256)
        #expect(claims["sub"]?.string == "{sandbox-se-elin}")
        #expect(claims["nonce"]?.string == "a-nonce")
        #expect(claims["authenticationtype"]?.string == "urn:grn:authn:se:bankid:same-device")
        #expect(claims["identityscheme"]?.string == "sebankid")
        let ledger = stage.provider.requestLog.requests
        #expect([ledger[.complete], ledger[.poll], ledger[.bankIDApp]] == [3, 3, 2])
        await stage.end()
    }

    @Test func `a login completes by query`() async throws {
        let stage = try Stage(system: .idura)
        let walk = BankIDWalk(stage: stage)
        let launch = try await walk.launch(["response_mode": "query", "login_hint": "appswitch:android"])
        let page = try await walk.open(launch.universalLink)
        #expect(try await !walk.press("approve", on: page).text.contains("href=\"http"))
        let answer = try await walk.get(launch.complete)
        #expect(answer.status == 302)
        #expect(answer["location"]?.hasPrefix(Stage.redirectURI + "?code=") == true)
        await stage.end()
    }

    @Test func `a cancel by the user is told to the client`() async throws {
        let stage = try Stage(system: .idura)
        let walk = BankIDWalk(stage: stage)
        let launch = try await walk.launch()
        try await walk.decide(launch.universalLink, "cancel")
        let arrival = try await walk.location(launch)
        #expect(arrival["error"] == "access_denied")
        #expect(arrival["state"] == "a-state")
        let poll = try await walk.get(try #require(launch.poll))
        #expect(poll.status == 400)
        #expect(poll.text == "access_denied")
        await stage.end()
    }

    @Test func `an order that the client cancels is gone`() async throws {
        let stage = try Stage(system: .idura)
        let walk = BankIDWalk(stage: stage)
        let launch = try await walk.launch()
        #expect(try await walk.get(launch.cancel).status == 200)
        #expect(stage.provider.requestLog.cancellations == ["test app": 1])
        #expect(try await walk.get(launch.complete).status == 400)
        #expect(try await walk.get(try #require(launch.poll)).status == 400)
        #expect(try await walk.open(launch.universalLink).status == 400)
        await stage.end()
    }

    @Test(arguments: [true, false]) func `an order ends when its time is up`(byClock: Bool) async throws {
        let stage = try Stage(system: .idura)
        let walk = BankIDWalk(stage: stage)
        let launch = try await walk.launch()
        if byClock {
            stage.clock.advance(by: .seconds(121))
        } else {
            try await walk.decide(launch.universalLink, "time-out")
        }
        for url in [launch.complete, try #require(launch.poll)] {
            let answer = try await walk.get(url)
            #expect(answer.status == 400)
            #expect(answer.text == "Collect failed: expiredTransaction")
        }
        await stage.end()
    }

    @Test func `a request without a known order is refused`() async throws {
        let stage = try Stage(system: .idura)
        for path in [
            "/bankid/complete", "/bankid/poll", "/bankid/cancel?order=a", "/bankid/", "/bankid/?autostarttoken=a",
        ] {
            #expect(try await stage.http.get(path).status == 400)
        }
        let plain = try Stage()
        #expect(try await plain.http.get("/bankid/complete").status == 404)
        await plain.end()
        await stage.end()
    }

    /// These requests get a page instead.
    static let pages: [[String: String?]] = [
        ["acr_values": "urn:grn:authn:se:bankid"], ["response_mode": "form_post"],
        ["acr_values": "urn:grn:authn:se:bankid:same-device urn:grn:authn:se:frejaid"],
    ]

    @Test(arguments: pages) func `a switch to no app is refused`(_ changes: [String: String?]) async throws {
        let stage = try Stage(system: .idura)
        let request = stage.request(BankIDWalk.sameDevice.merging(changes) { $1 })
        #expect(try await stage.walk.open(request).text.contains("login_hint: no app switch for"))
        await stage.end()
    }

    @Test func `a launch may have no poll URL`() async throws {
        let stage = try Stage(system: .idura, hasPollURL: false)
        #expect(try await BankIDWalk(stage: stage).launch().poll == nil)
        await stage.end()
    }

    @Test func `a user who is logged in is sent on`() async throws {
        let stage = try Stage(system: .idura)
        try stage.provider.setFault("session-reused", for: "test app")
        let request = stage.request(BankIDWalk.sameDevice.merging(["prompt": nil]) { $1 })
        let arrival = try Walk.arrival(try await stage.walk.open(request))
        #expect(arrival["code"] != nil)
        #expect(try await BankIDWalk(stage: stage).launch().poll != nil, "not with prompt=login")
        await stage.end()
    }
}
