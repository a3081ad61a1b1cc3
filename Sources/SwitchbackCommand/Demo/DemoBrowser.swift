import Base
import Outbound

/// The browser of a demo, and the user who presses a button of the broker's page.
struct DemoBrowser {
    private let transport: DemoTransport
    /// By host, and then by name.
    private var cookies: [String: [String: String]] = [:]
    private var url = ""
    private var page = ""

    init(_ transport: DemoTransport) {
        self.transport = transport
    }

    /// Opens a link and follows it to the broker's page.
    mutating func open(_ url: String) async throws {
        try await self.follow(OutboundRequest(url: url))
    }

    /// Approves on the broker's page, and follows the browser back to the done page. The name of a fault makes the
    /// broker misbehave.
    mutating func approve(fault: String = "") async throws {
        guard let action = self.page.firstMatch(of: /<form method="post" action="([^"]+)"/)?.1 else {
            throw OperatorError("the demo found no form on the broker's page")
        }
        let hidden = self.page.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)"/).map {
            (String($0.1), String($0.2))
        }
        let fields = hidden + [("person", "freja"), ("fault", fault), ("decision", "approve")]
        let form = fields.map { "\($0)=\($1)" }.joined(separator: "&")
        try await self.follow(
            OutboundRequest(
                method: .post, url: Self.origin(self.url) + action,
                fields: [Parameter("content-type", "application/x-www-form-urlencoded")], body: Array(form.utf8)))
    }

    /// The six digits of the done page. Nil if it shows none.
    var code: String? {
        let digits = self.page.firstMatch(of: /<p class="code"[^>]*>(.*?)<\/p>/.dotMatchesNewlines())?.1.filter(
            \.isNumber)
        return digits.map { String($0) }
    }

    private mutating func follow(_ first: OutboundRequest) async throws {
        var request = first
        for _ in 0..<10 {
            let host = URLHost.of(request.url)
            let cookies = (self.cookies[host] ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
            if !cookies.isEmpty { request.fields.append(Parameter("cookie", cookies)) }
            let response = try await self.transport.send(.browser, request)
            for cookie in response.fields where cookie.name == "set-cookie" {
                let pair = cookie.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
                if pair.count == 2 { self.cookies[host, default: [:]][pair[0]] = pair[1] }
            }
            guard (300..<400).contains(response.status), let location = response["location"] else {
                (self.url, self.page) = (request.url, String(decoding: response.body, as: UTF8.self))
                return
            }
            request = OutboundRequest(
                url: location.hasPrefix("/") ? Self.origin(request.url) + location : location)
        }
        throw OperatorError("the demo's browser was redirected in a circle")
    }

    private static func origin(_ url: String) -> String {
        let scheme = url.prefix { $0 != "/" }
        return "\(scheme)//" + url.dropFirst(scheme.count + 2).prefix { $0 != "/" }
    }
}
