/// Swedish BankID by a launch link (Idura): the answer to the authorize request is not a page but links that open the app.
///
/// Idura took this out of its documentation in September 2025; its own scripts still use it. We ask in the app's place, so
/// Idura takes our address for the person's: who needs the person's takes `headless`.
/// - `pollUrl` says when the app is done; where there is none, `completeUrl` is tried after the person's return.
/// - `completeUrl` answers with the redirect that a browser would have got: `location` in JSON, or a 302.
/// - `cancelUrl` ends the order. Until then the person may be kept from a new one.
import Base
import OpenIDConnect

struct LaunchLinks {
    private static let pause = 1000
    /// An order is open for about three minutes; what is still open then, the broker ends.
    private static let lifetime = Duration.seconds(180)

    let broker: OpenIDBroker

    func depart(from authorizeURL: String) async throws(BrokerFailure) -> Departure {
        let answer = try await self.get(authorizeURL, .start, delivery: .atMostOnce)
        guard answer.status == 200, let json = answer.json, let links = json["launchLinks"],
            let universal = links["universalLink"]?.string, self.mayOpen(universal),
            let complete = json["completeUrl"]?.string, let cancel = json["cancelUrl"]?.string
        else { throw BrokerFailure(.unavailable, "launch_links_malformed") }
        var details = ["complete": complete, "cancel": cancel]
        details["poll"] = json["pollUrl"]?.string
        for url in details.values { _ = try self.broker.endpoint(url) }
        var target = AppTarget(universalLink: universal, androidPackage: BankID.androidPackage)
        target.customScheme = links["customFileHandlerUrl"]?.string.flatMap(BankID.customScheme)
        return Departure(
            .app(target),
            trip: Trip(
                .launchLinks, details,
                interval: details["poll"] == nil ? nil : self.broker.settings.pollInterval ?? Self.pause,
                until: self.broker.now() + Self.lifetime))
    }

    func progress(of trip: Trip) async throws(BrokerFailure) -> Progress {
        guard let poll = trip.details["poll"] else { return try await self.complete(trip.details["complete"] ?? "") }
        let answer = try await self.get(poll, .progress, delivery: .idempotent)
        switch answer.status {
        case 202:
            return .pending(nil)
        case 200..<300:
            guard let target = answer.json?["targetUrl"]?.string else {
                throw BrokerFailure(.unavailable, "launch_links_poll_malformed")
            }
            // It may be the redirect itself.
            if let response = try self.redirect(to: target) { return response }
            return try await self.complete(target)
        case 400..<500 where answer.status != 429:
            throw Self.failure(answer.text)
        default:
            throw BrokerFailure(.unavailable, "launch_links_poll_\(answer.status)")
        }
    }

    func giveUp(_ trip: Trip) async {
        guard let cancel = trip.details["cancel"] else { return }
        _ = try? await self.get(cancel, .cancel, delivery: .idempotent)
    }

    private func complete(_ url: String) async throws(BrokerFailure) -> Progress {
        let answer = try await self.get(url, .progress, delivery: .atMostOnce)
        switch answer.status {
        case 200:
            guard let text = answer.json?["location"]?.string, let response = try self.redirect(to: text) else {
                throw BrokerFailure(.invalidResponse, "launch_links_location")
            }
            return response
        case 302, 303:
            guard let text = answer.location, let response = try self.redirect(to: text) else {
                throw BrokerFailure(.invalidResponse, "launch_links_location")
            }
            return response
        case 400..<500 where answer.status != 429:
            // The person is back before the app is done.
            if answer.text.contains("not") && answer.text.contains("done") { return .pending(nil) }
            throw BrokerFailure(.refused, "launch_links_complete_\(answer.status)")
        default:
            throw BrokerFailure(.unavailable, "launch_links_complete_\(answer.status)")
        }
    }

    /// BankID's own host is another than the broker's; a sandbox's is not, and without TLS.
    private func mayOpen(_ link: String) -> Bool {
        EndpointURL(link)?.scheme == .https || (try? self.broker.endpoint(link)) != nil
    }

    /// What a browser would have brought to us; nil for a URL that is not our redirect URI.
    private func redirect(to text: String) throws(BrokerFailure) -> Progress? {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let location = parts.first, identical(String(location), self.broker.client.redirectURI) else {
            return nil
        }
        guard let parameters = self.broker.settings.readQuery(parts.count == 2 ? String(parts[1]) : "") else {
            throw BrokerFailure(.invalidResponse, "launch_links_location")
        }
        return .response(parameters)
    }

    /// The text of an error, bare or as a JSON string.
    private static func failure(_ text: String) -> BrokerFailure {
        let word = text.trimming { $0 == "\"" || $0.isWhitespace }
        if word == "access_denied" { return BrokerFailure(.cancelled, "launch_links_access_denied") }
        if word.contains("startFailed") || word.contains("expired") {
            return BrokerFailure(.expired, "launch_links_expired")
        }
        return BrokerFailure(.refused, "launch_links_refused")
    }

    /// The method alone does not tell: to fetch the authorize URL starts an order, and `completeUrl` gives its code once.
    private func get(
        _ url: String, _ purpose: ProviderRequest.Purpose, delivery: ProviderRequest.Delivery
    ) async throws(BrokerFailure) -> ProviderResponse {
        try await self.broker.ask(
            ProviderRequest(
                purpose, .get, try self.broker.endpoint(url), delivery: delivery,
                fields: [("Accept", "application/json")]))
    }
}

extension String {
    fileprivate func trimming(_ isDropped: (Character) -> Bool) -> String {
        String(self.drop(while: isDropped).reversed().drop(while: isDropped).reversed())
    }
}
