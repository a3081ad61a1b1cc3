// Whole logins, by every way to prove them and with every kind of broker, and what may go wrong in them.

extension Recording {
    func logins() async throws {
        try await self.byLink()
        try await self.byCode()
        try await self.withoutProof()
        try await self.strangers()
        try await self.ends()
        try await self.brokers()
        try await self.refusedCodes()
        try await self.callbacks()
    }

    private func byLink() async throws {
        let login = RecordedLogin(self, "by link")
        try await login.create("create", "\"platform\": \"ios\", \"nonce\": \"n-1\", \"locale\": \"da\"")
        try await login.create("the same create", "\"platform\": \"ios\", \"nonce\": \"n-1\", \"locale\": \"da\"")
        try await login.create("another create", "\"platform\": \"android\"")
        try await login.poll("a first poll")
        try await login.poll("a poll of what is known", [("if-none-match", "W/\"1\"")])
        try await login.poll("a poll that waits", [("if-none-match", "W/\"1\""), ("prefer", "wait=1")])
        try await login.open("a guess of the browser", [("sec-purpose", "prefetch")])
        let start = login.startLink.replacing("https://login.example.com", with: "")
        try await self.send("by link: HEAD of the start link", "HEAD", start)
        try await login.open()
        try await login.open("open again")
        try await login.post("a return without a link", "return", "{\"url\": null}")
        try await login.callBack(
            "a guess of the browser at the callback", "\(login.approval())&x=%zz&hint=100%", settles: true)
        try await login.callBack("the same callback again", login.approval())
        let found = try await login.readPage()
        try await login.show("the page in Danish", "", [("accept-language", "da")])
        try await login.show("the page on another phone", "", [("user-agent", "Mozilla/5.0 (iPhone)")])
        try await login.show("the state of the page", "/state")
        try await login.show("the state that is known", "/state", [("if-none-match", "W/\"3\"")])
        try await self.pause()
        try await login.poll("a poll before the return")
        for (name, body) in [
            ("another link", "{\"url\": \"https://evil.example/\"}"), ("no member", "{}"), ("a number", "{\"url\": 1}"),
            ("a later member", "{\"url\": null, \"x\": 1}"),
            ("a link and a code", "{\"url\": \"\(found.link)\", \"code\": \"123456\"}"),
            ("a link without a proof", "{\"url\": \"https://link.example.com/r/x\"}"),
        ] { try await login.post("return with \(name)", "return", body) }
        try await login.post("return with the link", "return", "{\"url\": \"\(found.link)\"}")
        try await self.pause()
        try await login.poll("the result")
        try await login.poll("the result for the backend", [("api-key", RecordedConfiguration.apiKey)])
        try await login.poll("the result for another backend", [("api-key", "wrong")])
        try await login.poll("the events", [("accept", "text/event-stream")])
        try await self.pause()
        try await login.poll("the events after the last", [("accept", "text/event-stream"), ("last-event-id", "5")])
        try await login.show("the page at the end")
        try await login.post("a cancel at the end", "cancel")
        try await login.delete("the delete")
        try await login.delete("a second delete")
        try await login.poll("a poll after the delete")
        try await login.create(
            "a create after the delete", "\"platform\": \"ios\", \"nonce\": \"n-1\", \"locale\": \"da\"")
        try await login.post("a cancel after the delete", "cancel")
        try await login.show("the page after the delete")
        try await login.open("open after the delete")
    }

    private func byCode() async throws {
        let login = RecordedLogin(self, "by code")
        try await login.arrive("\"platform\": \"android\"")
        let code = try await login.readPage().code
        for (name, body) in [
            ("letters", "{\"code\": \"abcdef\"}"), ("a number", "{\"code\": 123456}"),
            ("too few", "{\"code\": \"123\"}"),
        ] { try await login.post("a code of \(name)", "return", body) }
        let wrong = code == "000000" ? "000001" : "000000"
        try await login.post("a wrong code", "return", "{\"code\": \"\(wrong)\"}")
        try await login.post("the right code", "return", "{\"code\": \"\(code)\"}")
        try await login.poll("the result")
        let other = RecordedLogin(self, "by three wrong codes")
        try await other.arrive()
        let right = try await other.readPage().code
        let bad = right == "000000" ? "000001" : "000000"
        for number in 1...4 { try await other.post("wrong code \(number)", "return", "{\"code\": \"\(bad)\"}") }
        try await other.post("the right code, too late", "return", "{\"code\": \"\(right)\"}")
        try await other.poll("a poll after that")
        try await other.show("the page after that")
        let web = RecordedLogin(self, "by a web page")
        try await web.arrive("\"platform\": \"web\", \"os\": \"windows\"")
        try await web.show("the page")
        try await web.poll("a poll")
    }

    private func withoutProof() async throws {
        let login = RecordedLogin(self, "without a proof")
        try await login.arrive("\"app\": \"kiosk\"")
        try await login.show("the page")
        try await login.poll("the result")
        try await login.delete("the delete")
        let next = RecordedLogin(self, "after another")
        try await next.create("create", "\"replaces\": \"\(login.secret)\"")
        let old = RecordedLogin(self, "before another")
        try await old.create()
        let new = RecordedLogin(self, "instead of another")
        try await new.create("create", "\"replaces\": \"\(old.secret)\"")
        try await old.poll("a poll of what was replaced")
        try await old.open("open what was replaced")
    }

    private func strangers() async throws {
        let login = RecordedLogin(self, "of someone")
        let other = RecordedLogin(self, "of a stranger")
        try await login.create()
        let asks = [
            ("GET", "", ""), ("DELETE", "", ""), ("POST", "/return", "{\"url\": null}"), ("POST", "/cancel", ""),
        ]
        for (method, place, body) in asks {
            let path = login.path + place
            let type = body.isEmpty ? [] : other.json
            try await self.send("a stranger's \(method) \(place)", method, path, other.bearer + type, body: body)
            try await self.send("nobody's \(method) \(place)", method, path, type, body: body)
            let basic = [("authorization", "Basic \(login.secret)")]
            try await self.send("a basic \(method) \(place)", method, path, basic + type, body: body)
            try await self.send(
                "a secret in the query of \(method) \(place)", method, "\(path)?token=x", login.bearer, body: body)
        }
        try await self.send(
            "a return without a type", "POST", login.path + "/return", login.bearer, body: "{\"url\": null}")
        for prefer in ["wait=x", "wait=-1", "wait=0", "handling=strict", "wait=1; a=b"] {
            try await login.poll("a poll that prefers \(prefer)", [("prefer", prefer)])
            if prefer == "wait=-1" { try await self.pause() }
        }
        try await self.pause()
        for tag in ["*", "\"1\"", "W/\"2\"", "x", "W/\"1\", \"3\""] {
            try await login.poll("a poll if not \(tag)", [("if-none-match", tag), ("prefer", "wait=0")])
            if tag == "W/\"2\"" { try await self.pause() }
        }
    }

    /// Until a login may be polled again at once. The limits count the real time.
    private func pause() async throws { try await Task.sleep(for: .seconds(5)) }

    private func ends() async throws {
        let cancelled = RecordedLogin(self, "cancelled")
        try await cancelled.create()
        try await cancelled.delete("a delete before the end")
        try await cancelled.post("the cancel", "cancel")
        try await cancelled.post("a second cancel", "cancel")
        try await cancelled.post("a return after that", "return", "{\"url\": null}")
        try await cancelled.open("open after that")
        try await cancelled.poll("the events of it", [("accept", "text/event-stream")])
        try await cancelled.delete("the delete")
        let late = RecordedLogin(self, "too late")
        try await late.arrive()
        let begun = RecordedLogin(self, "never finished")
        try await begun.create()
        try await begun.open()
        try self.move(by: 601)
        try await begun.callBack("a late callback", begun.approval())
        try await begun.poll("a poll after the time")
        try await begun.show("a page after the time")
        try await late.show("the page after the time")
        try await late.poll("a poll after the time")
        try self.move(by: 1300)
        try await late.poll("a poll long after the time")
        try await begun.open("open long after the time")
    }
}
