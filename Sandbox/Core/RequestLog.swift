import Base

/// The requests that the provider received, counted for tests.
package struct RequestLog: Sendable {
    package enum Endpoint: String, CaseIterable, Sendable {
        case discovery, keys, pushedRequest, authorize, decision, token, userinfo
        // Idura's orders of BankID.
        case headless, complete, poll, cancel, bankIDApp
        // Nets eID Broker's CIBA.
        case backchannel, startBrowser, authenticate, delete
        // DigiD, with `complete` for its second step.
        case initiate, digidApp
    }

    /// The largest number of codes that are counted, because a sandbox that runs for weeks must not grow.
    private static let limit = 100_000

    /// The requests that arrived, including those that are held or were refused.
    package private(set) var requests: [Endpoint: Int] = [:]
    /// By authorization code, including codes that were never issued.
    package private(set) var tokenRequests: [String: Int] = [:]
    /// By authorization code that was used more than once: the shortest time between two requests.
    package private(set) var tokenGaps: [String: Duration] = [:]
    private var tokenRequestedAt: [String: Timestamp] = [:]
    package private(set) var userinfoRequests: [String: Int] = [:]
    /// By client, the effective parameters: with a request object, those in it.
    package private(set) var lastAuthorizationRequest: [String: [Parameter]] = [:]
    /// By client, as in the body.
    package private(set) var lastTokenRequest: [String: [Parameter]] = [:]

    /// By client: what started its last order at a broker that it polls.
    package private(set) var lastOrderRequest: [String: [Parameter]] = [:]
    /// By client: how many orders it has cancelled.
    package private(set) var cancellations: [String: Int] = [:]

    mutating func count(_ endpoint: Endpoint) { self.requests[endpoint, default: 0] += 1 }

    mutating func countToken(_ code: String, at now: Timestamp) {
        Self.count(code, in: &self.tokenRequests)
        guard self.tokenRequests[code] != nil else { return }
        if let before = self.tokenRequestedAt[code] {
            self.tokenGaps[code] = min(self.tokenGaps[code] ?? now - before, now - before)
        }
        self.tokenRequestedAt[code] = now
    }

    mutating func countUserinfo(_ code: String) { Self.count(code, in: &self.userinfoRequests) }

    mutating func note(authorization parameters: [Parameter], by client: String) {
        self.lastAuthorizationRequest[client] = parameters
    }

    mutating func note(token parameters: [Parameter], by client: String) {
        self.lastTokenRequest[client] = parameters
    }

    mutating func note(order parameters: [Parameter], by client: String) {
        self.lastOrderRequest[client] = parameters
    }

    mutating func countCancellation(by client: String) { self.cancellations[client, default: 0] += 1 }

    private static func count(_ code: String, in counts: inout [String: Int]) {
        guard counts[code] != nil || counts.count < Self.limit else { return }
        counts[code, default: 0] += 1
    }
}
