// The first step: the resolver begins a session, and the app gets a link that opens DigiD's app, or a third party's.

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
            throw BrokerError(.unavailable, .initTransaction)
        }
        guard let session = answer.sessionID else { throw BrokerError(.unavailable, .initSession) }
        var details: [BackchannelTransaction.Detail: String] = [
            .transaction: transaction, .session: session, .scope: provider.scope.joined(separator: " "),
        ]
        let appLaunch = try await self.appLaunch(answer, request, challenge)
        if let id = appLaunch.requestID {
            // Whatever we send, a resolver can repeat without having read it anywhere.
            let sentValues =
                [
                    transaction, session, challenge.state, self.settings.returnURL, self.settings.clientID,
                    self.settings.level.contextClass,
                ] + provider.scope
            let (name, others) = (id.lowercased(), sentValues.map { $0.lowercased() }.filter { !$0.isEmpty })
            guard !others.contains(where: { $0.contains(name) || ($0.count >= 16 && name.contains($0)) }) else {
                throw BrokerError(.unavailable, .initRequestIDSent)
            }
        }
        details[.request] = appLaunch.requestID
        let backchannel = BackchannelTransaction(.artifact, details, interval: nil, until: self.now() + Self.lifetime)
        var target = AppTarget(universalLink: appLaunch.link, expiresAt: appLaunch.lifetime.map { issuedAt + $0 })
        target.androidPackage = Self.androidPackage(opening: appLaunch.link)
        return AuthorizationStart(.app(target), transaction: backchannel)
    }

    /// How our app opens the other one.
    private struct AppLaunch {
        let link: String
        /// What the answer must name. Nil if it proves nothing.
        let requestID: String?
        /// Nil if we know of no end.
        let lifetime: Duration?
    }

    private func appLaunch(
        _ answer: RegistrationResponse, _ request: AuthnRequest?, _ challenge: Challenge
    ) async throws(BrokerError) -> AppLaunch {
        guard let answeredLink = answer.data["digidRequest"] ?? answer.data["appLink"] else {
            let link = try await self.link(request, challenge)
            return AppLaunch(link: link, requestID: request?.id, lifetime: Self.requestLifetime)
        }
        guard let text = answeredLink.string, answer.data["digidRequest"] == nil || answer.data["appLink"] == nil else {
            throw BrokerError(.unavailable, .appLink(.text))
        }
        do throws(BrokerError) {
            // The rules for DigiD's links hold for each of them, whatever else is listed.
            let location = String(text.prefix { $0 != "?" })
            if let apps = self.settings.thirdPartyApps, !identical(location, self.settings.appLink) {
                let link = try ThirdPartyLink(text, of: apps)
                return AppLaunch(link: link.text, requestID: try Self.requestID(in: answer, of: apps), lifetime: nil)
            }
            let link = try ForeignAppLink(text, of: self.settings, state: challenge.state)
            return AppLaunch(link: link.text, requestID: link.requestID, lifetime: Self.requestLifetime)
        } catch {
            if error.cause == .appLink(.elsewhere) {
                self.settings.onNote(.linkElsewhere(host: EndpointURL(String(text.prefix { $0 != "?" }))?.host))
            }
            throw error
        }
    }

    /// Only the app that everybody has: those for tests have packages of their own.
    private static func androidPackage(opening link: String) -> String? {
        EndpointURL(link)?.host == "app.digid.nl" ? EIDApp.known["digid"]?.androidPackages.first : nil
    }

    /// Returns the id that the resolver expects in the third party's signed answer. It must be too long to guess.
    private static func requestID(
        in answer: RegistrationResponse, of apps: ThirdPartyApps
    ) throws(BrokerError) -> String? {
        guard let requestID = answer.requestID else {
            guard apps.proof == .unproven else { throw BrokerError(.unavailable, .appLink(.requestID)) }
            return nil
        }
        guard let id = requestID.string, (16...256).contains(id.utf8.count), AppToAppResponse.isArtifact(id, limit: 256)
        else { throw BrokerError(.unavailable, .appLink(.requestID)) }
        return id
    }

    /// Returns what the resolver's script may need: where a request of its own has to lead back to, or a digest of the
    /// id of our request. With it the script can recognise the response to another request (`InResponseTo`, SAML Core
    /// 3.2.2). It gets no id: what it returns to us must come from DigiD's response, and not from here.
    private func requestData(_ challenge: Challenge, _ request: AuthnRequest?) -> String {
        var data: JSON.Object = [
            "returnUrl": .string(self.settings.returnURL), "relayState": .string(challenge.state),
            "authnContext": .string(self.settings.level.contextClass),
        ]
        data["requestIdSha256"] = request.map {
            .string(Base64URL.encode(Digest.sha256.hash(Array($0.id.utf8))))
        }
        return String(decoding: JSON.object(data).encoded(), as: UTF8.self)
    }

    private func link(_ request: AuthnRequest?, _ challenge: Challenge) async throws(BrokerError) -> String {
        guard let request else { throw BrokerError(.unavailable, .initLinkMissing) }
        // An RSA signature takes a quarter of a millisecond, too long for a queue that serves connections.
        let binding = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            () async throws(BrokerError) in
            try RedirectBinding(request, relayState: challenge.state)
        }
        return AppToAppRequest(
            iconURL: request.service.iconURL, returnURL: self.settings.returnURL, binding: binding,
            host: self.settings.testHost
        ).link(to: self.settings.appLink)
    }
}
