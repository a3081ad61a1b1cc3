import Base
import OpenIDConnect

/// Swedish BankID by a launch link (Idura): the authorize request returns links that open the app, and not a page.
///
/// Idura removed this from its documentation in September 2025; its own scripts still use it. We send the request in
/// the app's place, so Idura takes our address for the user's. Use `headless` if the broker has to know the user's.
/// - `pollUrl` says when the app is done. If there is none, we try `completeUrl` after the user has returned.
/// - `completeUrl` returns the redirect that a browser would have got: `location` in JSON, or a 302. Without `pollUrl`,
///   anyone who opens the app causes such a request, so a 4xx ends the login only if its text is a final one.
/// - `cancelUrl` ends the order. Until then the user may be unable to start a new one.
struct LaunchLinkFlow {
    private static let pause = 1000
    /// An order is open for about three minutes. The broker ends an order that is still open then.
    private static let lifetime = Duration.seconds(180)

    let endpoints: BrokerEndpoints

    func startAuthorization(from authorizeURL: String) async throws(BrokerError) -> AuthorizationStart {
        let answer = try await self.get(authorizeURL, .start, delivery: .atMostOnce)
        guard answer.status == 200, let json = answer.json, let links = json["launchLinks"],
            let universal = links["universalLink"]?.string, self.mayOpen(universal),
            let complete = json["completeUrl"]?.string, let cancel = json["cancelUrl"]?.string
        else { throw BrokerError(.unavailable, .launchLinksMalformed) }
        var details: [BackchannelTransaction.Detail: String] = [.complete: complete, .cancel: cancel]
        details[.poll] = json["pollUrl"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        for url in details.values { _ = try self.endpoints.endpoint(url) }
        var target = AppTarget(universalLink: universal, androidPackage: BankIDLaunch.androidPackage)
        target.customScheme = links["customFileHandlerUrl"]?.string.flatMap(BankIDLaunch.customScheme)
        return AuthorizationStart(
            .app(target),
            transaction: BackchannelTransaction(
                .launchLinks, details,
                interval: details[.poll] == nil ? nil : self.endpoints.settings.pollInterval ?? Self.pause,
                until: self.endpoints.now() + Self.lifetime))
    }

    func fetchProgress(of transaction: BackchannelTransaction) async throws(BrokerError) -> BackchannelProgress {
        guard let poll = transaction.details[.poll] else {
            return try await self.complete(transaction.details[.complete] ?? "", isDone: false)
        }
        let answer = try await self.get(poll, .progress, delivery: .idempotent)
        switch answer.status {
        case 202:
            return .pending(nil)
        case 200..<300:
            guard let target = answer.json?["targetUrl"]?.string else {
                throw BrokerError(.unavailable, .launchLinksPollMalformed)
            }
            // This may be the redirect itself.
            if let response = self.redirect(to: target) { return response }
            return try await self.complete(target, isDone: true)
        case 400..<500 where answer.status != 429:
            throw Self.finalFailure(answer.text) ?? BrokerError(.refused, .launchLinksRefused)
        default:
            throw BrokerError(.unavailable, .status(.launchLinksPoll, answer.status))
        }
    }

    func abandon(_ transaction: BackchannelTransaction) async {
        guard let cancel = transaction.details[.cancel] else { return }
        _ = try? await self.get(cancel, .cancel, delivery: .idempotent)
    }

    /// `isDone` says whether the broker has said that the order is done.
    private func complete(_ url: String, isDone: Bool) async throws(BrokerError) -> BackchannelProgress {
        let answer = try await self.get(url, .progress, delivery: .atMostOnce)
        switch answer.status {
        case 200:
            guard let text = answer.json?["location"]?.string, let response = self.redirect(to: text) else {
                guard isDone else { return .pending(nil) }
                throw BrokerError(.invalidResponse, .launchLinksLocation)
            }
            return response
        case 302, 303:
            guard let text = answer.location, let response = self.redirect(to: text) else {
                throw BrokerError(.invalidResponse, .launchLinksLocation)
            }
            return response
        case 400..<500 where answer.status != 429:
            // The user is back before the app is done.
            if answer.text.contains("not") && answer.text.contains("done") { return .pending(nil) }
            if let failure = Self.finalFailure(answer.text) { throw failure }
            guard isDone else { return .pending(nil) }
            throw BrokerError(.refused, .status(.launchLinksComplete, answer.status))
        default:
            throw BrokerError(.unavailable, .status(.launchLinksComplete, answer.status))
        }
    }

    /// BankID's own host is not the broker's; a sandbox's is, and has no TLS.
    private func mayOpen(_ link: String) -> Bool {
        EndpointURL(link)?.scheme == .https || (try? self.endpoints.endpoint(link)) != nil
    }

    /// Reads what a browser would have delivered to us; nil for a URL that is not our redirect URI.
    private func redirect(to text: String) -> BackchannelProgress? {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let location = parts.first, identical(String(location), self.endpoints.client.redirectURI) else {
            return nil
        }
        return .response(self.endpoints.settings.readQuery(parts.count == 2 ? String(parts[1]) : ""))
    }

    /// The errors of RFC 6749 §4.1.2.1 after which the same order cannot succeed.
    private static let finalErrors: Set<String> = [
        "invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope", "server_error",
    ]

    /// Reads the text of an error, bare or as a JSON string. Returns nil if it does not say that the order is over.
    private static func finalFailure(_ text: String) -> BrokerError? {
        let word = text.trimming { $0 == "\"" || $0.isWhitespace }
        if word == "access_denied" { return BrokerError(.cancelled, .launchLinksAccessDenied) }
        if ["startFailed", "expiredTransaction"].contains(where: { word == "Collect failed: \($0)" || word == $0 }) {
            return BrokerError(.expired, .launchLinksExpired)
        }
        return self.finalErrors.contains(word) ? BrokerError(.refused, .launchLinksRefused) : nil
    }

    /// The caller sets `delivery`, because GET does not tell: the authorize URL starts an order, and `completeUrl`
    /// returns its code once.
    private func get(
        _ url: String, _ purpose: ProviderRequest.Purpose, delivery: ProviderRequest.Delivery
    ) async throws(BrokerError) -> ProviderResponse {
        try await self.endpoints.send(
            ProviderRequest(
                purpose, .get, try self.endpoints.endpoint(url), delivery: delivery,
                fields: [Parameter("Accept", "application/json")]))
    }
}

extension String {
    fileprivate func trimming(_ isDropped: (Character) -> Bool) -> String {
        String(self.drop(while: isDropped).reversed().drop(while: isDropped).reversed())
    }
}
