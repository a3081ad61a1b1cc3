// The second step: the resolver gets the artifact, and returns the identity in it.

import Base
import OpenIDConnect
import StrictJSON

extension DigiDBroker {
    package func redeem(code: Secret, _ challenge: Challenge, _ backchannel: BackchannelTransaction?)
        async throws(BrokerError) -> BrokerAnswer
    {
        guard let returnedArtifact = ReturnedArtifact(code), let backchannel, backchannel.kind == .artifact,
            let transaction = backchannel.details[.transaction], let session = backchannel.details[.session]
        else { throw BrokerError(.invalidResponse, .completeWithoutSession) }
        let request = backchannel.details[.request]
        // Only a third party's app may return without a proof, and only if the configuration says so.
        guard request != nil || self.settings.thirdPartyApps?.proof == .unproven else {
            throw BrokerError(.invalidResponse, .completeWithoutSession)
        }
        // We do not send the request's id. The resolver has to read it in DigiD's response, and must not just repeat
        // it.
        let data: JSON.Object = ["artefactId": .string(returnedArtifact.artifact), "sessionId": .string(session)]
        let scope = backchannel.details[.scope]?.split(separator: " ").map { JSON.string(String($0)) } ?? []
        let members: JSON.Object = [
            "transaction_id": .string(transaction), "scope": .array(scope),
            "data": .string(String(decoding: JSON.object(data).encoded(), as: UTF8.self)),
        ]
        do throws(BrokerError) {
            // An artifact that has the id would let a resolver name it without reading anything.
            if let request, returnedArtifact.artifact.contains(request) {
                throw BrokerError(.foreign, .completeArtifact)
            }
            let (answer, body) = try await self.take(.complete, members)
            try Self.check(answer, session: session, request: request)
            if answer.hasLastingToken { self.settings.onNote(.lastingToken) }
            return BrokerAnswer(Secret(body), content: answer)
        } catch {
            // Anyone can put an artifact into a link that opens the app. If the link named no login, it must not end
            // this one.
            guard returnedArtifact.isBound || error.kind == .foreign else { throw BrokerError(.foreign, error.cause) }
            throw error
        }
    }

    /// Only the resolver can tell whose artifact it is. The link is not signed, so its `RelayState` proves nothing: an
    /// attacker can put their own beside a victim's artifact, or the other way round. The session's id proves nothing
    /// either, because we have just sent it. Only the signed response of DigiD, or of a third party, says which request
    /// it answers.
    private static func check(_ answer: RegistrationResponse, session: String, request: String?) throws(BrokerError) {
        if answer.namesSession {
            guard let sessionID = answer.sessionID, equalInConstantTime(Array(sessionID.utf8), Array(session.utf8))
            else {
                throw BrokerError(.foreign, .completeSession)
            }
        }
        guard let request else { return }
        guard let inResponseTo = answer.inResponseTo else {
            throw BrokerError(.foreign, .completeInResponseToMissing)
        }
        guard let text = inResponseTo.string, equalInConstantTime(Array(text.utf8), Array(request.utf8)) else {
            throw BrokerError(.foreign, .completeInResponseTo)
        }
    }

    /// Reads the response, unless this process has done it.
    private static func response(in answer: BrokerAnswer) throws(BrokerError) -> RegistrationResponse {
        if let response = answer.content(as: RegistrationResponse.self) { return response }
        return try RegistrationResponse(answer.bytes.exposed, to: .complete)
    }

    /// Leaves out what nobody needs any more, such as a number of the user or a token that outlives the login.
    package func retained(_ answer: BrokerAnswer, for provider: Provider) -> Secret {
        // It was read before, so this does not fail.
        guard let response = try? Self.response(in: answer) else { return answer.bytes }
        let names =
            [self.settings.subjectClaim, "acr", "amr"]
            + [provider.nationalID?.claim, provider.person?.claim].compactMap(\.self) + provider.claims
        return Secret(response.retained(names))
    }

    package func identify(
        _ answer: BrokerAnswer, code: Secret?, _ challenge: Challenge, for provider: Provider, openedAt: Timestamp
    ) async throws(BrokerError) -> Identity {
        let answer = try Self.response(in: answer)
        guard let subject = answer.text(self.settings.subjectClaim), subject.utf8.count <= 255 else {
            throw BrokerError(.invalidToken, .completeSubject)
        }
        let acr = answer.text("acr")
        let level = acr.flatMap { DigiDLevel(named: $0) }
        if let level, level < self.settings.level { throw BrokerError(.assuranceTooLow, .completeACR) }
        var person: Person?
        if let rule = provider.person {
            person = try Person(rule, in: [answer.member(rule.claim).map { [rule.claim: $0] }])
        }
        let name =
            self.settings.personKey.map { $0.name(subject, in: self.settings.issuer) }
            ?? provider.person?.subject(subject, of: person) ?? subject
        let identity = Identity(
            issuer: self.settings.issuer, subject: name, provider: provider.id, eid: provider.eid ?? provider.id,
            country: provider.onlyCountry,
            assurance: level?.assurance ?? acr.flatMap { Assurance(contextClass: $0) } ?? provider.assurance, acr: acr,
            methods: try Identity.methods(answer.member("amr"), for: provider),
            nationalID: self.nationalID(in: answer, for: provider), claims: self.claims(in: answer, for: provider),
            registration: answer.registration(with: provider.claims), person: person)
        try provider.check(identity)
        return identity
    }

    private func nationalID(in answer: RegistrationResponse, for provider: Provider) -> Identity.NationalID? {
        guard let rule = provider.nationalID, let value = answer.text(rule.claim) else { return nil }
        return Identity.NationalID(type: rule.type, value: value)
    }

    private func claims(in answer: RegistrationResponse, for provider: Provider) -> JSON.Object {
        JSON.Object(provider.claims.compactMap { name in answer.member(name).map { (name, $0) } })
    }
}
