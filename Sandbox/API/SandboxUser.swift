import Base
import HTTPWire

/// A user with a browser, for tests: opens a login's link, decides on the e-ID's page, and follows the browser to its
/// end.
package struct SandboxUser: Sendable {
    package struct Request: Sendable {
        package let isPost: Bool
        package let url: String
        package let fields: [Parameter]
        package let body: [UInt8]
    }

    package struct Answer: Sendable {
        let status: Int
        let fields: [Parameter]
        let body: [UInt8]

        package init(status: Int, fields: [Parameter], body: [UInt8]) {
            self.status = status
            self.fields = fields
            self.body = body
        }

        fileprivate func values(_ name: String) -> [String] {
            self.fields.filter { $0.name.lowercased() == name }.map(\.value)
        }
    }

    /// Throws if there is no response. It follows no redirects.
    package typealias Send = @Sendable (Request) async throws -> Answer

    struct Choice: Sendable {
        let person: String?
        let fault: String?
        let decision: String
        /// Whether the e-ID's app opens a link of ours when it is done.
        var switchesApps = false
    }

    /// Where the browser ended.
    struct End: Sendable {
        /// The link that opens the app.
        var link: String?
        /// The six digits on the page.
        var code: String?
        /// The link by which the e-ID's app returns.
        var switchLink: String?
    }

    private static let steps = 40

    private let send: Send
    /// The origins of the links that open the app, or a page of it.
    private let links: [String]

    package init(links: [String], send: @escaping Send) {
        self.links = links
        self.send = send
    }

    func walk(_ link: String, _ choice: Choice) async throws(OperatorError) -> End {
        var browser = Browser(send: self.send)
        var answer = try await browser.open(link)
        var end = End()
        for _ in 0..<Self.steps {
            if (300..<400).contains(answer.status), let target = answer.values("location").first {
                let url = browser.absolute(target)
                if self.links.contains(where: { url.hasPrefix($0 + "/") }) {
                    end.link = url
                    return end
                }
                answer = try await browser.open(url)
                continue
            }
            let page = Page(String(decoding: answer.body, as: UTF8.self))
            guard answer.status == 200 else {
                throw OperatorError("A page answered with \(answer.status): \(page.heading ?? "no heading")")
            }
            if let form = page.form {
                if form.asks, choice.switchesApps {
                    guard let link = page.link(to: self.links) else {
                        throw OperatorError("This e-ID's app opens no link of yours. Send platform in the create.")
                    }
                    end.switchLink = link
                }
                answer = try await browser.submit(form, choice)
                continue
            }
            (end.link, end.code) = (page.link(to: self.links), page.code)
            if end.link != nil || end.code != nil || !page.isWaiting { return end }
            // The page says that the login goes on, and asks the browser to look again.
            try? await Task.sleep(for: .milliseconds(100))
            answer = try await browser.open(browser.url)
        }
        throw OperatorError("The browser came to no end.")
    }
}

// MARK: - The browser

/// Keeps cookies by origin.
private struct Browser {
    let send: SandboxUser.Send
    private(set) var url = ""
    private var cookies: [String: [String: String]] = [:]

    init(send: @escaping SandboxUser.Send) { self.send = send }

    mutating func open(_ url: String) async throws(OperatorError) -> SandboxUser.Answer {
        try await self.perform(url, isPost: false, [])
    }

    mutating func submit(
        _ form: Page.Form, _ choice: SandboxUser.Choice
    ) async throws(OperatorError) -> SandboxUser.Answer {
        var fields = form.hidden
        if form.asks {
            if let person = choice.person { fields.append(Parameter("person", person)) }
            if let fault = choice.fault { fields.append(Parameter("fault", fault)) }
            fields.append(Parameter("decision", choice.decision))
        }
        let (url, query) = (self.absolute(form.action), FormBody.encode(fields))
        guard form.isPost else { return try await self.open(url + "?" + query) }
        return try await self.perform(url, isPost: true, Array(query.utf8))
    }

    func absolute(_ target: String) -> String {
        target.hasPrefix("/") ? (Origin.source(of: self.url) ?? "") + target : target
    }

    private mutating func perform(
        _ url: String, isPost: Bool, _ body: [UInt8]
    ) async throws(OperatorError) -> SandboxUser.Answer {
        let origin = Origin.source(of: url) ?? ""
        var fields = isPost ? [Parameter("Content-Type", "application/x-www-form-urlencoded")] : []
        if let cookies = self.cookies[origin], !cookies.isEmpty {
            let text = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            fields.append(Parameter("Cookie", text))
        }
        let answer: SandboxUser.Answer
        do {
            answer = try await self.send(.init(isPost: isPost, url: url, fields: fields, body: body))
        } catch {
            throw OperatorError("No answer from \(origin).")
        }
        self.url = url
        for cookie in answer.fields where cookie.name.lowercased() == "set-cookie" {
            let pair = cookie.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            guard let name = pair.first else { continue }
            self.cookies[origin, default: [:]][String(name)] = pair.count == 2 ? String(pair[1]) : ""
        }
        return answer
    }
}

// MARK: - Pages

/// Reads the pages of the server and of the sandbox, and no others.
private struct Page {
    struct Form {
        let isPost: Bool
        let action: String
        let hidden: [Parameter]
        /// Whether the user decides here.
        let asks: Bool
    }

    private let html: String

    init(_ html: String) { self.html = html }

    var heading: String? { Self.between("<h1>", "</h1>", in: self.html[...]).map(String.init) }

    /// The form on which the user decides, or which carries the response on.
    var form: Form? {
        let forms = self.html.split(separator: "<form ", omittingEmptySubsequences: false).dropFirst().compactMap {
            part -> Form? in
            let content = part.firstRange(of: "</form>").map { part[..<$0.lowerBound] } ?? part
            guard let action = Self.between("action=\"", "\"", in: content) else { return nil }
            let asks = content.contains("name=\"decision\"")
            let hidden = content.split(separator: "<input type=\"hidden\" ").dropFirst().compactMap { input in
                guard let name = Self.between("name=\"", "\"", in: input),
                    let value = Self.between("value=\"", "\"", in: input)
                else { return Parameter?.none }
                return Parameter(Self.plain(name), Self.plain(value))
            }
            return Form(
                isPost: content.contains("method=\"post\""), action: Self.plain(action), hidden: hidden, asks: asks)
        }
        return forms.first { $0.asks } ?? forms.first { form in form.hidden.contains { $0.name == "state" } }
    }

    func link(to origins: [String]) -> String? {
        self.html.split(separator: "href=\"").dropFirst().lazy
            .map { Self.plain($0.prefix { $0 != "\"" }) }
            .first { link in origins.contains { link.hasPrefix($0 + "/") } }
    }

    /// The digits, whatever stands between them.
    var code: String? {
        guard let markup = Self.between("class=\"code\"", "</p>", in: self.html[...]) else { return nil }
        var digits = ""
        var isTag = true
        for character in markup {
            if character == "<" { isTag = true }
            if !isTag, ("0"..."9").contains(character) { digits.append(character) }
            if character == ">" { isTag = false }
        }
        return digits.isEmpty ? nil : digits
    }

    /// Whether the page will change.
    var isWaiting: Bool { self.html.contains("http-equiv=\"refresh\"") || self.html.contains("data-state") }

    private static func between(_ start: String, _ end: String, in text: Substring) -> Substring? {
        guard let from = text.firstRange(of: start), let to = text[from.upperBound...].firstRange(of: end) else {
            return nil
        }
        return text[from.upperBound..<to.lowerBound]
    }

    private static func plain(_ text: Substring) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x2F;", "/"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
