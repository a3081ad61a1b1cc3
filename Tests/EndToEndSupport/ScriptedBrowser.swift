import Base
import Foundation
import HTTPWire

/// A browser without scripts: it follows redirects, shows pages and presses buttons in forms.
package struct ScriptedBrowser: Sendable {
    /// A form on the page, with its target and fields.
    package struct Form: Sendable {
        package let method: String
        package let action: String
        package var fields: [Parameter]
        /// Submit buttons with a name.
        package let buttons: [Parameter]
    }

    package private(set) var url: String
    package private(set) var page: Answer
    private var languages: String?
    package private(set) var cookies: CookieJar
    /// Prefixes of links that open an app; the browser then stays on its page.
    private let links: [String]
    /// The link that the last redirect would have opened.
    package private(set) var link: String?

    /// Opens a URL and follows its redirects to a page or a link to an app. `cookies` are those of earlier windows.
    package init(
        opening url: String, languages: String? = nil, links: [String] = [], cookies: CookieJar = CookieJar()
    ) async throws {
        self.links = links
        self.url = url
        self.cookies = cookies
        self.page = try await Self.get(url, languages, cookies)
        self.languages = languages
        self.cookies.take(self.page, from: url)
        try await self.follow()
    }

    package var form: Form? { Self.forms(in: self.page.text).first }

    /// Fills in the first form of the page and submits it.
    package mutating func submit(_ changes: [String: String] = [:], button: String? = nil) async throws {
        let request = try self.submission(changes, button: button)
        try await self.perform(request)
    }

    package struct Submission: Sendable {
        package let method: String
        package let url: String
        package let body: [UInt8]

        package init(method: String, url: String, body: [UInt8]) {
            self.method = method
            self.url = url
            self.body = body
        }
    }

    /// Returns what submitting the first form would send, so that a test can send it more than once, or changed.
    package func submission(_ changes: [String: String] = [:], button: String? = nil) throws -> Submission {
        guard var form = self.form else { throw TestClient.Failure(description: "no form on \(self.page.text)") }
        for (name, value) in changes {
            if let index = form.fields.firstIndex(where: { $0.name == name }) {
                form.fields[index].value = value
            } else {
                form.fields.append(Parameter(name, value))
            }
        }
        if let button {
            guard let found = form.buttons.first(where: { $0.value == button || $0.name == button }) else {
                throw TestClient.Failure(description: "no button \(button) among \(form.buttons)")
            }
            form.fields.append(found)
        }
        let target = URL(string: form.action, relativeTo: URL(string: self.url))?.absoluteString ?? form.action
        let encoded = FormBody.encode(form.fields)
        guard form.method == "post" else {
            return Submission(method: "GET", url: "\(target)?\(encoded)", body: [])
        }
        return Submission(method: "POST", url: target, body: Array(encoded.utf8))
    }

    /// Approves, and returns the callback request without sending it.
    package mutating func callback(of variant: BrokerVariant) async throws -> Submission {
        let decision = try self.submission(button: "approve")
        let answer = try await Self.send(decision, fields: self.cookies.fields(for: decision.url))
        guard variant.isForm else {
            guard let location = answer[.location] else { throw TestClient.Failure(description: "no redirect") }
            return Submission(method: "GET", url: location, body: [])
        }
        self.url = decision.url
        self.page = answer
        return try self.submission()
    }

    /// Returns the links to the app that the request leads to: one, or one per form when a page sends the response
    /// twice.
    package mutating func links(after request: Submission) async throws -> [String] {
        let answer = try await Self.send(request, fields: self.cookies.fields(for: request.url))
        if let link = answer[.location] { return [link] }
        self.url = request.url
        self.page = answer
        return try Self.forms(in: answer.text).map { _ in try self.submission().url }
    }

    package mutating func perform(_ request: Submission) async throws {
        self.url = request.url
        self.page = try await Self.send(request, fields: self.cookies.fields(for: request.url))
        self.cookies.take(self.page, from: request.url)
        try await self.follow()
    }

    package static func send(_ request: Submission, fields: [Parameter] = []) async throws -> Answer {
        let type = request.method == "POST" ? [Parameter("Content-Type", "application/x-www-form-urlencoded")] : []
        return try await TestClient.send(request.method, request.url, fields: type + fields, body: request.body)
    }

    package mutating func reload() async throws {
        self.page = try await Self.get(self.url, self.languages, self.cookies)
        try await self.follow()
    }

    package var hasCookies: Bool { !self.cookies.isEmpty }

    /// Makes the browser one that has lost the cookies of this site.
    package mutating func forgetCookies(of url: String) { self.cookies.forget(url) }

    private mutating func follow() async throws {
        self.link = nil
        for _ in 0..<10 {
            guard (301...308).contains(self.page.status), let location = self.page[.location] else { return }
            let next = URL(string: location, relativeTo: URL(string: self.url))?.absoluteString ?? location
            if self.links.contains(where: { next.hasPrefix($0) }) {
                self.link = next
                return
            }
            self.url = next
            self.page = try await Self.get(self.url, self.languages, self.cookies)
            self.cookies.take(self.page, from: self.url)
        }
        throw TestClient.Failure(description: "too many redirects")
    }

    private static func get(
        _ url: String, _ languages: String?, _ cookies: CookieJar = CookieJar()
    ) async throws -> Answer {
        let fields = languages.map { [Parameter("Accept-Language", $0)] } ?? []
        return try await TestClient.send("GET", url, fields: fields + cookies.fields(for: url))
    }
}

// MARK: - Reading forms

extension ScriptedBrowser {
    // These are made once, since making one takes longer than using it. The sharing is safe because they never change.
    private nonisolated(unsafe) static let form = /<form\b([^>]*)>(.*?)<\/form>/.dotMatchesNewlines().ignoresCase()
    private nonisolated(unsafe) static let control = /<(input|button|select)\b([^>]*)>/.ignoresCase()
    private nonisolated(unsafe) static let attribute = /([A-Za-z-]+)(?:\s*=\s*"([^"]*)")?/

    package static func forms(in html: String) -> [Form] {
        html.matches(of: Self.form).map { match in
            let attributes = Self.attributes(of: String(match.1))
            var fields: [Parameter] = []
            var buttons: [Parameter] = []
            for tag in String(match.2).matches(of: Self.control) {
                let input = Self.attributes(of: String(tag.2))
                guard let name = input["name"] else { continue }
                let kind = input["type"] ?? (tag.1 == "button" ? "submit" : "text")
                switch kind {
                case "submit": buttons.append(Parameter(name, input["value"] ?? ""))
                case "radio", "checkbox":
                    if input["checked"] != nil { fields.append(Parameter(name, input["value"] ?? "on")) }
                default: fields.append(Parameter(name, input["value"] ?? ""))
                }
            }
            return Form(
                method: (attributes["method"] ?? "get").lowercased(), action: attributes["action"] ?? "",
                fields: fields, buttons: buttons)
        }
    }

    private static func attributes(of tag: String) -> [String: String] {
        var attributes: [String: String] = [:]
        for match in tag.matches(of: Self.attribute) {
            attributes[String(match.1).lowercased()] = Self.unescaped(String(match.2 ?? ""))
        }
        return attributes
    }

    package static func unescaped(_ text: String) -> String {
        [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&#x2F;", "/"),
            ("&#x3D;", "="), ("&amp;", "&"),
        ]
        .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
