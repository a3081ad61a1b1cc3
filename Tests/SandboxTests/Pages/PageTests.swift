import Base
import Cryptography
import EventLoop
import HTTPServer
import HTTPWire
import Sandbox
import Testing

/// The pages work without script, escape what they show, and have a policy that only lets the response be sent.
@Suite struct PageTests {
    @Test func `the authorize page needs no script`() async throws {
        let stage = try Stage(onwardOrigins: ["http://localhost:4", "com.example.app:"])
        let page = try await stage.walk.open(stage.request())
        #expect(page["content-type"] == "text/html; charset=utf-8")
        #expect(page["cache-control"] == "no-store")
        #expect(page["referrer-policy"] == "no-referrer")
        let policy = try #require(page["content-security-policy"])
        #expect(policy.contains("form-action 'self' http://127.0.0.1:1 http://localhost:4 com.example.app:"))
        #expect(!policy.contains("script-src"))
        #expect(!page.text.contains("<script"))
        #expect(!page.text.contains("style="))
        let form = try #require(HTMLForm.forms(in: page.text).first)
        #expect(form.method == "post")
        #expect(form.action == "/decision")
        for person in SandboxIdentity.all { #expect(page.text.contains("name=\"person\" value=\"\(person.id)\"")) }
        await stage.end()
    }

    @Test func `the hint chooses the user`() async throws {
        let stage = try Stage()
        let page = try await stage.walk.open(stage.request(["login_hint": "elin"]))
        #expect(page.text.contains("value=\"elin\" checked>"))
        #expect(!page.text.contains("value=\"freja\" checked>"))
        await stage.end()
    }

    @Test func `what comes from outside is escaped`() async throws {
        let stage = try Stage()
        let attack = "\"><script>alert('1')</script>&amp;"
        let page = try await stage.walk.open(stage.request(["ui_locales": attack]))
        #expect(page.status == 200)
        #expect(page.text.contains("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;"))
        #expect(!page.text.contains("<script"))
        let arrival = try await stage.walk.login(stage.request(["state": attack, "response_mode": "form_post"]))
        #expect(arrival["state"] == attack)
        await stage.end()
    }

    /// Form Post Response Mode §2, with a button for browsers without script.
    @Test func `the response page allows its own script only`() async throws {
        let stage = try Stage()
        let arrival = try await stage.walk.login(stage.request(["response_mode": "form_post"]))
        let page = arrival.response.text
        let start = try #require(page.firstRange(of: "<script>"))
        let script = page[start.upperBound...].prefix { $0 != "<" }
        let hash = Base64.encode(Digest.sha256.hash(Array(script.utf8)))
        let policy = try #require(arrival.response["content-security-policy"])
        #expect(policy.hasSuffix("script-src 'sha256-\(hash)'"))
        #expect(policy.contains("form-action http://127.0.0.1:1;"))
        #expect(page.contains("<button class=\"approve\">Continue</button>"))
        await stage.end()
    }

    @Test func `the stylesheet is served`() async throws {
        let stage = try Stage()
        let answer = try await stage.http.get("/sandbox.css")
        #expect(answer.status == 200)
        #expect(answer["content-type"] == "text/css; charset=utf-8")
        #expect(answer.text.contains("prefers-color-scheme"))
        await stage.end()
    }

    @Test func `an unknown path is not found`() async throws {
        let stage = try Stage()
        #expect(try await stage.http.get("/admin").status == 404)
        await stage.end()
    }

    @Test func `the page says where the app would open`() async throws {
        let loop = try EventLoop(name: "app-link")
        let server = HTTPServer(
            listen: try #require(ListenAddress("127.0.0.1:0")), loops: [loop], handler: AppLinkPage())
        let client = RawClient(port: try server.start().port)
        let page = try await client.get("/r/K7QX?proof=%3Cb%3E&x='1'")
        #expect(page.status == 200)
        #expect(page.text.contains("<h1>Your app would open here</h1>"))
        #expect(page.text.contains("/r/K7QX?proof=%3Cb%3E&amp;x=&#39;1&#39;"))
        #expect(try await client.get("/sandbox.css").status == 200)
        #expect(try await client.post("/r/", form: []).status == 405)
        await server.close()
        loop.close()
    }
}
