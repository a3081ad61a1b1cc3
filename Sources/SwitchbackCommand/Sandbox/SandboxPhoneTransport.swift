import Base
import EventLoop
import Outbound
import Sandbox

/// Sends the requests of the sandbox's phone and of its user's browser, over the network like those of any other phone.
struct SandboxPhoneTransport {
    /// As long as the library waits for the longest poll.
    private static let deadline = Duration.seconds(80)
    /// Each phone whose page is open holds a poll.
    private static let connections = 1000

    private let client: OutboundClient
    private let server: String
    private let api: String?

    init(_ plan: SandboxPlan, loop: EventLoop) throws {
        self.server = plan.publicURL
        self.api = plan.api
        let brokers = SandboxSystem.allCases.map(plan.origin)
        let hosts = Set(
            ([plan.publicURL, plan.linkURL] + brokers + [plan.api].compactMap(\.self)).map(URLHost.of))
        var settings = OutboundSettings(allowedHosts: hosts)
        settings.allowInsecureLoopback = true
        if !plan.isLoopback { settings.insecureHosts = hosts }
        settings.userAgent = "Sandbox phone"
        settings.maxConnections = Self.connections
        self.client = try OutboundClient(loop: loop, settings: settings)
    }

    func answer(to call: PhoneRequest) async throws -> PhoneRequest.Answer {
        let method = OutboundRequest.Method(rawValue: call.method.rawValue) ?? .get
        let origin = call.host == .api ? self.api ?? self.server : self.server
        // Every request of this client says who it is, and a second name would contradict it.
        let fields = call.fields.filter { $0.name.lowercased() != "user-agent" }
        let request = OutboundRequest(
            method: method, url: origin + call.path, fields: fields, body: call.body, deadline: Self.deadline)
        let response = try await self.client.send(request)
        return PhoneRequest.Answer(status: response.status, fields: response.fields, body: response.body)
    }

    func answer(to call: SandboxUser.Request) async throws -> SandboxUser.Answer {
        let request = OutboundRequest(
            method: call.isPost ? .post : .get, url: call.url, fields: call.fields, body: call.body)
        let response = try await self.client.send(request)
        return SandboxUser.Answer(status: response.status, fields: response.fields, body: response.body)
    }

    func close() async { await self.client.close() }
}
