import Base
import EndToEndSupport
import Foundation
import HTTPWire

/// A browser that keeps cookies and types a user's name and password wherever a form asks for them.
struct CookieBrowser: Sendable {
    private(set) var url = ""
    private(set) var page = Answer(status: 0, fields: [:], body: [])
    /// The URLs that forms were sent to, in order.
    private(set) var submissions: [String] = []
    private var cookies: [String: String] = [:]

    private static let typed = [
        "login": "erika", "username": "erika", "password": "correct horse", "answer": "accept",
    ]

    /// Opens a URL and submits every form, until the browser is back at the server of `home`.
    mutating func logIn(opening url: String, home: String) async throws {
        try await self.send("GET", url)
        for _ in 0..<8 where !self.url.hasPrefix(home) {
            if LoginScript.isOf(self.url) {
                try await self.run(try LoginScript(of: self.url))
            } else {
                try await self.submit()
            }
        }
        guard self.url.hasPrefix(home) else { throw TestClient.Failure(description: "still at \(self.url)") }
    }

    private mutating func submit() async throws {
        let forms = ScriptedBrowser.forms(in: self.page.text)
        guard self.page.status == 200, let form = forms.first(where: { $0.method == "post" }) else {
            throw TestClient.Failure(description: "\(self.page.status) \(self.url) \(self.page.text.prefix(2000))")
        }
        var fields = form.fields.map { Parameter($0.name, Self.typed[$0.name] ?? $0.value) }
        fields += form.buttons.filter { Self.typed[$0.name] == $0.value }
        // An empty action means the page's own URL.
        let target = form.action.isEmpty ? self.url : self.absolute(form.action)
        self.submissions.append(target)
        try await self.send("POST", target, Array(FormBody.encode(fields).utf8))
    }

    private mutating func run(_ script: LoginScript) async throws {
        for call in script.calls(name: Self.typed["username"] ?? "", password: Self.typed["password"] ?? "") {
            try await self.exchange(call.method, call.url, call.body.encoded(), type: "application/json")
            guard self.page.status == 200 else {
                throw TestClient.Failure(description: "\(call.url): \(self.page.status) \(self.page.text)")
            }
        }
        try await self.send("GET", script.goOn)
    }

    private func absolute(_ reference: String) -> String {
        URL(string: reference, relativeTo: URL(string: self.url))?.absoluteString ?? reference
    }

    private mutating func send(_ method: String, _ url: String, _ body: [UInt8] = []) async throws {
        try await self.exchange(method, url, body)
        for _ in 0..<10 {
            guard [301, 302, 303].contains(self.page.status), let location = self.page[.location] else { return }
            try await self.exchange("GET", self.absolute(location))
        }
        throw TestClient.Failure(description: "too many redirects, the last to \(self.url)")
    }

    private mutating func exchange(
        _ method: String, _ url: String, _ body: [UInt8] = [], type: String = "application/x-www-form-urlencoded"
    ) async throws {
        var fields: [Parameter] = []
        if !self.cookies.isEmpty {
            fields.append(Parameter("Cookie", self.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")))
        }
        if method != "GET" { fields.append(Parameter("Content-Type", type)) }
        self.url = url
        self.page = try await TestClient.send(method, url, fields: fields, body: body)
        for cookie in self.page.fields.all(.setCookie) { self.keep(cookie) }
    }

    /// Stores a cookie (RFC 6265 §5.3) as far as logins on one host need it: cookies ignore ports.
    private mutating func keep(_ cookie: String) {
        let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return }
        let isGone = pair[1].isEmpty || cookie.lowercased().contains("max-age=0")
        self.cookies[String(pair[0])] = isGone ? nil : String(pair[1])
    }
}
