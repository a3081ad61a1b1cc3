/// Sends the requests of the sandbox's phone to the server, over the network like those of any other phone.
import Base
import EventLoop
import Outbound
import Sandbox

struct SandboxPhoneTransport {
    private let client: OutboundClient
    private let server: String
    private let api: String?

    init(_ plan: SandboxPlan, loop: EventLoop) throws {
        self.server = plan.publicURL
        self.api = plan.api
        let hosts = Set(([plan.publicURL] + [plan.api].compactMap(\.self)).map(SandboxPlan.host))
        var settings = OutboundSettings(allowedHosts: hosts)
        settings.allowInsecureLoopback = true
        if !plan.isLoopback { settings.insecureHosts = hosts }
        settings.userAgent = "Switchback sandbox"
        self.client = try OutboundClient(loop: loop, settings: settings)
    }

    func answer(to call: PhoneRequest) async throws -> PhoneRequest.Answer {
        let method = OutboundRequest.Method(rawValue: call.method.rawValue) ?? .get
        let origin = call.host == .api ? self.api ?? self.server : self.server
        let request = OutboundRequest(method: method, url: origin + call.path, fields: call.fields, body: call.body)
        let response = try await self.client.send(request)
        return PhoneRequest.Answer(status: response.status, fields: response.fields, body: response.body)
    }

    func close() async { await self.client.close() }
}
