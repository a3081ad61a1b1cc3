/// The end: the resolver gets the artifact, and says whose it is.
import JOSE
import OpenIDConnect

extension DigiDBroker {
    package func redeem(code: Secret, _ challenge: Challenge, _ trip: Trip?) async throws(BrokerFailure) -> Secret {
        guard let returned = ReturnedArtifact(code), let trip, trip.kind == .artifact,
            let transaction = trip.details["transaction"], let session = trip.details["session"]
        else { throw BrokerFailure(.invalidResponse, "complete_without_session") }
        var data: JSON.Object = ["artefactId": .string(returned.artifact), "sessionId": .string(session)]
        data["requestId"] = trip.details["request"].map { .string($0) }
        let scope = trip.details["scope"]?.split(separator: " ").map { JSON.string(String($0)) } ?? []
        let (answer, body) = try await self.take(
            .complete,
            [
                "transaction_id": .string(transaction), "scope": .array(scope),
                "data": .string(String(decoding: JSON.object(data).encoded(), as: UTF8.self)),
            ])
        try Self.check(answer, session, isBound: returned.isBound)
        return Secret(body)
    }

    /// Where DigiD did not bring our `RelayState` back, it is the resolver that says that the artifact is this login's: else
    /// anybody's would do, put into a link that opens the app.
    private static func check(
        _ answer: RegistrationAnswer, _ session: String, isBound: Bool
    ) throws(BrokerFailure) {
        if isBound, !answer.namesSession { return }
        guard let named = answer.sessionID else { throw BrokerFailure(.invalidToken, "complete_session_missing") }
        guard equalInConstantTime(Array(named.utf8), Array(session.utf8)) else {
            throw BrokerFailure(.invalidToken, "complete_session")
        }
    }

    package func identify(
        _ answer: Secret, code: Secret?, _ challenge: Challenge, for provider: Provider, openedAt: Timestamp
    ) async throws(BrokerFailure) -> Identity {
        let answer = try RegistrationAnswer(answer.exposed, to: .complete)
        guard let subject = answer.text(self.settings.subjectClaim), subject.utf8.count <= 255 else {
            throw BrokerFailure(.invalidToken, "complete_subject")
        }
        let acr = answer.text("acr")
        let level = acr.flatMap { DigiDLevel(named: $0) }
        if let level, level < self.settings.level { throw BrokerFailure(.assuranceTooLow, "complete_acr") }
        let identity = Identity(
            issuer: self.settings.issuer, subject: subject, provider: provider.id, eid: provider.eid ?? provider.id,
            country: provider.onlyCountry,
            assurance: level?.assurance ?? acr.flatMap { Assurance(contextClass: $0) } ?? provider.assurance, acr: acr,
            methods: answer.member("amr")?.array?.compactMap(\.string) ?? [],
            nationalID: self.nationalID(in: answer, for: provider), claims: self.claims(in: answer, for: provider),
            registration: answer.registration)
        try provider.check(identity)
        return identity
    }

    private func nationalID(in answer: RegistrationAnswer, for provider: Provider) -> Identity.NationalID? {
        guard let rule = provider.nationalID, let value = answer.text(rule.claim) else { return nil }
        return Identity.NationalID(type: rule.type, value: value)
    }

    private func claims(in answer: RegistrationAnswer, for provider: Provider) -> JSON.Object {
        JSON.Object(provider.claims.compactMap { name in answer.member(name).map { (name, $0) } })
    }
}
