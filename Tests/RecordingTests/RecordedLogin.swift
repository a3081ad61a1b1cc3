import Base

/// One login in a recording: its app and its browser.
final class RecordedLogin {
    /// What a browser on a phone sends.
    static let browser = [
        ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), ("accept-language", "en"),
    ]

    let name: String
    let recording: Recording
    let secret: String
    let provider: String
    private(set) var path = "/v1/logins/none"
    private(set) var startLink = ""
    /// What the browser was sent to the broker with.
    private(set) var request: [String: String] = [:]
    private(set) var page = "/done/unknown"
    private var cookies: [(String, String)] = []

    init(_ recording: Recording, _ name: String, provider: String = "eid") {
        PlayedRandom.begin("the secret of \(name)")
        self.name = name
        self.recording = recording
        self.provider = provider
        self.secret = Base64URL.encode(RandomBytes.make(32))
    }

    var bearer: [(String, String)] { [("authorization", "Bearer \(self.secret)")] }
    var json: [(String, String)] { [("content-type", "application/json")] }

    @discardableResult
    func create(
        _ step: String = "create", _ members: String = "", _ fields: [(String, String)] = []
    ) async throws -> PlayedMessage {
        let more = members.isEmpty ? "" : ", \(members)"
        let answer = try await self.recording.send(
            "\(self.name): \(step)", "POST", "/v1/logins", self.json + fields,
            body: "{\"provider\": \"\(self.provider)\", \"poll_secret\": \"\(self.secret)\"\(more)}")
        if let id = answer.member("id") { self.path = "/v1/logins/\(id)" }
        if let link = answer.member("next.url") { self.startLink = link }
        return answer
    }

    @discardableResult
    func open(_ step: String = "open", _ fields: [(String, String)] = RecordedLogin.browser) async throws
        -> PlayedMessage
    {
        let path = self.startLink.replacing("https://login.example.com", with: "")
        let answer = try await self.recording.send("\(self.name): \(step)", "GET", path, fields)
        if let location = answer["location"], !location.hasPrefix("/") {
            let found = PlayedMessage.parameters(location)
            let signed = found["request"].map { PlayedMessage.claims(of: $0) }
            self.request = signed ?? (found["request_uri"] == nil ? found : self.recording.pushed)
        }
        if let cookie = answer["set-cookie"]?.split(separator: ";").first {
            self.cookies = [("cookie", String(cookie))]
        }
        return answer
    }

    /// The browser knows of a pushed request only its name.
    func takePushed() { self.request = self.recording.pushed }

    /// The parameters of a callback with a code of this kind.
    func approval(_ way: String = "good") -> String {
        let code = PlayedMessage.encoded("\(way).\(self.request["nonce"] ?? "none")")
        return "code=\(code)&state=\(self.state)"
    }

    var state: String { PlayedMessage.encoded(self.request["state"] ?? "none") }

    @discardableResult
    func callBack(
        _ step: String = "callback", _ parameters: String, settles: Bool = false, isForm: Bool = false
    ) async throws -> PlayedMessage {
        let place = "/callback/\(PlayedMessage.encoded(self.broker))"
        let fields = Self.browser + self.cookies
        let answer =
            isForm
            ? try await self.recording.send(
                "\(self.name): \(step)", "POST", place,
                fields + [("content-type", "application/x-www-form-urlencoded")],
                body: parameters, settles: settles)
            : try await self.recording.send(
                "\(self.name): \(step)", "GET", "\(place)?\(parameters)", fields, settles: settles)
        if let location = answer["location"] { self.page = location }
        return answer
    }

    /// The broker of the provider: both have the same name in a recording, unless it is `eid`.
    var broker: String { ["eid", "plain", "none"].contains(self.provider) ? "main" : self.provider }

    @discardableResult
    func show(_ step: String, _ more: String = "", _ fields: [(String, String)] = RecordedLogin.browser) async throws
        -> PlayedMessage
    {
        try await self.recording.send("\(self.name): \(step)", "GET", self.page + more, fields + self.cookies)
    }

    @discardableResult
    func poll(_ step: String, _ fields: [(String, String)] = []) async throws -> PlayedMessage {
        try await self.recording.send("\(self.name): \(step)", "GET", self.path, self.bearer + fields)
    }

    @discardableResult
    func post(_ step: String, _ action: String, _ body: String = "") async throws -> PlayedMessage {
        try await self.recording.send(
            "\(self.name): \(step)", "POST", "\(self.path)/\(action)", self.bearer + (body.isEmpty ? [] : self.json),
            body: body)
    }

    @discardableResult
    func delete(_ step: String) async throws -> PlayedMessage {
        try await self.recording.send("\(self.name): \(step)", "DELETE", self.path, self.bearer)
    }

    /// From the create to the page after a callback.
    func arrive(_ members: String = "", _ way: String = "good") async throws {
        try await self.create("create", members)
        try await self.open()
        if self.request["state"] == nil { self.recording.problems.append("\(self.name) opens nothing") }
        try await self.callBack("callback", self.approval(way), settles: true)
    }

    /// The link of the button on the page, and the code of the page.
    func readPage(_ step: String = "the page") async throws -> (link: String, code: String) {
        let text = try await self.show(step).text
        let link = text.firstMatch(of: /id="back" class="button" href="([^"]+)"/).map { String($0.1) } ?? ""
        let code = text.firstMatch(of: /<span>([0-9]{3})<\/span><wbr><span>([0-9]{3})</).map { "\($0.1)\($0.2)" } ?? ""
        return (link.replacing("&amp;", with: "&"), code)
    }
}
