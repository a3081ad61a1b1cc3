import Base
import Outbound
import StrictJSON

/// The app of a demo. It follows the five rules, with the API alone.
struct DemoApp {
    let transport: DemoTransport
    let server: String
    /// Made and stored before the login exists.
    private let pollSecret = Base64URL.encode(RandomBytes.make(32))

    init(_ transport: DemoTransport, server: String) {
        self.transport = transport
        self.server = server
    }

    /// Creates the login. With the same secret it is the same login, so a new process can ask again.
    func create() async throws -> DemoLogin {
        let body = "{\"provider\": \"\(SandboxFlow.sandbox.rawValue)\", \"poll_secret\": \"\(self.pollSecret)\"}"
        return try await self.call(.post, "/v1/logins", body, isCreating: true)
    }

    func poll(_ login: DemoLogin) async throws -> DemoLogin { try await self.call(.get, "/v1/logins/\(login.id)") }

    /// Sends the digits that the user has read on the page.
    func send(code: String, of login: DemoLogin) async throws -> DemoLogin {
        try await self.call(.post, "/v1/logins/\(login.id)/return", "{\"code\": \"\(code)\"}")
    }

    func delete(_ login: DemoLogin) async throws {
        _ = try await self.transport.send(.app, self.request(.delete, "/v1/logins/\(login.id)"))
    }

    private func call(
        _ method: OutboundRequest.Method, _ path: String, _ body: String? = nil, isCreating: Bool = false
    ) async throws -> DemoLogin {
        let request = self.request(method, path, body, isCreating: isCreating)
        let response = try await self.transport.send(.app, request)
        return DemoLogin(try JSON(parsing: response.body))
    }

    private func request(
        _ method: OutboundRequest.Method, _ path: String, _ body: String? = nil, isCreating: Bool = false
    ) -> OutboundRequest {
        var fields = isCreating ? [] : [Parameter("authorization", "Bearer \(self.pollSecret)")]
        if body != nil { fields.append(Parameter("content-type", "application/json")) }
        return OutboundRequest(
            method: method, url: self.server + path, fields: fields, body: Array((body ?? "").utf8))
    }
}

/// What the API says about a login, as far as a demo needs it.
struct DemoLogin {
    let id: String
    let status: String
    let isFinal: Bool
    let reason: String?
    let url: String?
    let subject: String?

    init(_ json: JSON) {
        self.id = json["id"]?.string ?? ""
        self.status = json["status"]?.string ?? json["code"]?.string ?? ""
        self.isFinal = json["final"]?.bool ?? false
        self.reason = json["reason"]?["code"]?.string
        self.url = json["next"]?["url"]?.string
        self.subject = json["identity"]?["subject"]?.string
    }
}
