/// Sends the requests of the sandbox's phone to the server, over the network like those of any other phone.
import Base
import EventLoop
import Outbound
import Sandbox

struct SandboxPhoneTransport {
    private let client: OutboundClient
    private let server: String

    init(_ plan: SandboxPlan, loop: EventLoop) throws {
        self.server = plan.publicURL
        let host = self.server.dropFirst("http://".count).prefix { $0 != ":" }.lowercased()
        var settings = OutboundSettings(allowedHosts: [host])
        settings.allowInsecureLoopback = true
        if !plan.isLoopback { settings.insecureHosts = [host] }
        settings.userAgent = "Switchback sandbox"
        self.client = try OutboundClient(loop: loop, settings: settings)
    }

    func answer(to call: PhoneRequest) async throws -> PhoneRequest.Answer {
        let method = OutboundRequest.Method(rawValue: call.method.rawValue) ?? .get
        let request = OutboundRequest(
            method: method, url: self.server + call.path, fields: call.fields,
            body: call.body)
        let response = try await self.client.send(request)
        return (response.status, response.body)
    }

    func close() async { await self.client.close() }
}
