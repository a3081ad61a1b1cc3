import Base
import EventLoop
import Outbound

/// Sends the requests of the demo's app and browser, and shows each of them without what must stay secret.
struct DemoTransport {
    private let client: OutboundClient
    private let loops: [EventLoop]
    private let timeline: DemoTimeline
    private let broker: String

    init(_ plan: SandboxPlan, _ timeline: DemoTimeline) throws {
        self.loops = try EventLoop.makeLoops(count: 1)
        self.timeline = timeline
        self.broker = plan.origin(of: .oidc)
        let origins = [plan.publicURL, self.broker]
        var settings = OutboundSettings(allowedHosts: Set(origins.map(URLHost.of)))
        settings.allowInsecureLoopback = true
        settings.userAgent = "Sandbox demo"
        self.client = try OutboundClient(loop: self.loops[0], settings: settings)
    }

    func send(_ lane: DemoTimeline.Lane, _ request: OutboundRequest) async throws -> OutboundResponse {
        let response = try await self.client.send(request)
        let place = request.url.hasPrefix(self.broker) ? " at the broker" : ""
        self.timeline.event(
            lane, "\(request.method.rawValue) \(Self.shown(request.url))\(place) → \(response.status)")
        await self.timeline.wait()
        return response
    }

    /// The path without its query, with an ellipsis for every part that looks like an id, a code or a secret.
    static func shown(_ url: String) -> String {
        let path = url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").map { $0.count < 20 ? "/\($0)" : "/…" }.joined()
    }

    func close() async {
        await self.client.close()
        for loop in self.loops { loop.close() }
    }
}
