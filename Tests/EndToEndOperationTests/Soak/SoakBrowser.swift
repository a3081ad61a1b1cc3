import Base
import EndToEndSupport
import Foundation
import HTTPWire
import Sandbox

/// The browser of one login under load: it keeps its cookies, and retries when it gets no response.
///
/// It searches the sandbox's and our pages for the few strings that it needs; `ScriptedBrowser` reads any form, which
/// takes longer.
struct SoakBrowser: Sendable {
    /// The fault that the user chooses; empty for none.
    let fault: String
    let person: String
    let patience: SoakPatience
    /// Sends requests for our own pages to one server of several, instead of where their links lead.
    var origin: (from: String, to: String)?

    /// Goes from the link that the app opens to the done page. Returns the return link, if the page has one.
    func walk(from go: String, _ book: SoakBook, twice: Bool) async throws -> String? {
        let authorizationStart = try await self.ours("GET", go)
        guard authorizationStart.status == 303, let authorize = authorizationStart[.location] else {
            throw TestClient.Failure(
                description: "go: \(authorizationStart.status) \(authorizationStart.text.prefix(300))")
        }
        let cookies = Self.cookies(of: authorizationStart)
        let page = try await TestClient.send("GET", authorize)
        guard let login = Self.value(of: "login", in: page.text) else {
            throw TestClient.Failure(description: "authorize: \(page.status) \(page.text.prefix(300))")
        }
        let decision = [
            Parameter("login", login), Parameter("person", self.person), Parameter("fault", self.fault),
            Parameter("decision", "approve"),
        ]
        let issuer = authorize.components(separatedBy: "/authorize").first ?? ""
        let answer = try await TestClient.send(
            "POST", "\(issuer)/decision", fields: [Self.form], body: Array(FormBody.encode(decision).utf8))
        guard let action = Self.between("action=\"", "\"", in: answer.text) else {
            throw TestClient.Failure(description: "decision: \(answer.status) \(answer.text.prefix(300))")
        }
        let fields = ["code", "state", "iss"].compactMap { name in
            Self.value(of: name, in: answer.text).map { Parameter(name, $0) }
        }
        let callback = Array(FormBody.encode(fields).utf8)
        var done = ""
        for _ in 0..<(twice ? 2 : 1) {
            let taken = try await self.ours(
                "POST", ScriptedBrowser.unescaped(action), fields: [Self.form] + cookies, body: callback)
            guard taken.status == 303, let page = taken[.location] else {
                throw TestClient.Failure(description: "callback: \(taken.status) \(taken.text.prefix(300))")
            }
            book.calledBack(to: page)
            done = URL(string: page, relativeTo: URL(string: go))?.absoluteString ?? page
        }
        return try await self.link(on: done)
    }

    /// Loads the done page, and returns the link of its button.
    private func link(on done: String) async throws -> String? {
        let page = try await self.ours("GET", done)
        guard page.status == 200 else { throw TestClient.Failure(description: "done: \(page.status)") }
        return Self.between("class=\"button\" href=\"", "\"", in: page.text).map(ScriptedBrowser.unescaped)
    }

    private func ours(
        _ method: String, _ url: String, fields: [Parameter] = [], body: [UInt8] = []
    ) async throws -> Answer {
        var url = url
        if let origin, url.hasPrefix(origin.from) { url = origin.to + url.dropFirst(origin.from.count) }
        let target = url
        return try await self.patience.ask("browser") {
            try await TestClient.send(method, target, fields: fields, body: body)
        }
    }

    private static let form = Parameter("Content-Type", "application/x-www-form-urlencoded")

    private static func cookies(of answer: Answer) -> [Parameter] {
        guard let pair = answer[.setCookie]?.prefix(while: { $0 != ";" }) else { return [] }
        return [Parameter("Cookie", String(pair))]
    }

    private static func value(of name: String, in page: String) -> String? {
        Self.between("name=\"\(name)\" value=\"", "\"", in: page).map(ScriptedBrowser.unescaped)
    }

    private static func between(_ start: String, _ end: String, in text: String) -> String? {
        guard let from = text.range(of: start)?.upperBound else { return nil }
        let rest = text[from...]
        return rest.range(of: end).map { String(rest[..<$0.lowerBound]) }
    }
}
