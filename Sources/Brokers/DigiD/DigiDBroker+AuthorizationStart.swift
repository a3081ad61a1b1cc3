/// The first step: the resolver begins a session, and the app gets a link that opens DigiD's app.
import Base
import Cryptography
import OpenIDConnect
import StrictJSON

extension DigiDBroker {
    /// How long DigiD keeps an artifact.
    private static let lifetime = Duration.seconds(900)
    /// DigiD's app refuses a request that is older.
    private static let requestLifetime = Duration.seconds(60)

    package func startAuthorization(
        for provider: Provider, _ challenge: Challenge, _ context: AuthorizationContext
    ) async throws(BrokerError) -> AuthorizationStart {
        // The time before our call: a request that the resolver makes itself is not older.
        let issuedAt = self.now()
        let request = self.settings.service.map { service in
            AuthnRequest(id: AuthnRequest.makeID(), issuedAt: issuedAt, service: service, level: self.settings.level)
        }
        let answer = try await self.take(.initiate, ["data": .string(self.requestData(challenge, request))]).answer
        guard let transaction = answer.members["transaction_id"]?.string, !transaction.isEmpty else {
            throw BrokerError(.unavailable, "init_transaction")
        }
        guard let session = answer.sessionID else { throw BrokerError(.unavailable, "init_session") }
        var details: [BackchannelTransaction.Detail: String] = [
            .transaction: transaction, .session: session, .scope: provider.scope.joined(separator: " "),
        ]
        let link: String
        if let given = answer.data["digidRequest"] {
            let checked = try self.checked(given, challenge)
            (link, details[.request]) = (checked.text, checked.requestID)
        } else {
            link = try await self.link(request, challenge)
            details[.request] = request?.id
        }
        let backchannel = BackchannelTransaction(.artifact, details, interval: nil, until: self.now() + Self.lifetime)
        let target = AppTarget(universalLink: link, expiresAt: issuedAt + Self.requestLifetime)
        return AuthorizationStart(.app(target), transaction: backchannel)
    }

    /// Returns what the resolver's script may need: where a request of its own has to lead back to, or a digest of the
    /// id of our request. With it the script can recognise the response to another request (`InResponseTo`, SAML Core
    /// 3.2.2). It gets no id: what it returns to us must come from DigiD's response, and not from here.
    private func requestData(_ challenge: Challenge, _ request: AuthnRequest?) -> String {
        var wishes: JSON.Object = [
            "returnUrl": .string(self.settings.returnURL), "relayState": .string(challenge.state),
            "authnContext": .string(self.settings.level.contextClass),
        ]
        wishes["requestIdSha256"] = request.map {
            .string(Base64URL.encode(Digest.sha256.hash(Array($0.id.utf8))))
        }
        return String(decoding: JSON.object(wishes).encoded(), as: UTF8.self)
    }

    private func checked(_ link: JSON, _ challenge: Challenge) throws(BrokerError) -> ForeignAppLink {
        guard let link = link.string else { throw BrokerError(.unavailable, "init_link_text") }
        do throws(ForeignAppLinkError) {
            return try ForeignAppLink(link, of: self.settings, state: challenge.state)
        } catch {
            throw BrokerError(.unavailable, "init_link_\(error.problem)")
        }
    }

    private func link(_ request: AuthnRequest?, _ challenge: Challenge) async throws(BrokerError) -> String {
        guard let request else { throw BrokerError(.unavailable, "init_link_missing") }
        do throws(RedirectBindingError) {
            // An RSA signature takes a quarter of a millisecond, too long for a queue that serves connections.
            let binding = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                () async throws(RedirectBindingError) in
                try RedirectBinding(request, relayState: challenge.state)
            }
            return AppToAppRequest(
                iconURL: request.service.iconURL, returnURL: self.settings.returnURL, binding: binding,
                host: self.settings.testHost
            ).link(to: self.settings.appLink)
        } catch {
            throw BrokerError(.unavailable, "request_\(error.rawValue)")
        }
    }
}
