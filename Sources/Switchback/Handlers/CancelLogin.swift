/// `POST /v1/logins/{id}/cancel`: the app gives up, or learns that it was too late for that.
import HTTPWire
import Logins

struct CancelLogin: Sendable {
    let flow: LoginFlow
    let answers: LoginAnswers

    func response(to call: Call, _ id: String) async throws(Problem) -> Response {
        let login = try LoginAccess(call.request, id)
        let body = try CancelBody(call.request)
        let wait = self.answers.wait(preferredBy: call.request)
        let view = try await answering { () async throws(Refusal) in
            try await self.flow.cancel(login.id, secret: login.secret, waiting: .seconds(wait ?? 0))
        }
        return await self.answers.response(.ok, view, waited: wait, unknown: body.unknown)
    }
}
