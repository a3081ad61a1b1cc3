/// `POST /v1/logins/{id}/return`: the app is in front again, perhaps opened by a link.
import HTTPWire
import Logins

struct ComeBack: Sendable {
    let flow: LoginFlow
    let answers: LoginAnswers
    let limits: RequestLimits

    func response(to call: Call, _ id: String) async throws(Problem) -> Response {
        let login = try LoginAccess(call.request, id)
        let body = try ReturnBody(call.request)
        let view = try await answering { () async throws(Refusal) in
            switch body.shown {
            case .link(let link):
                try await call.inTurn { () async throws(Refusal) in
                    try await self.flow.comeBack(
                        login.id, secret: login.secret, link: link, by: call.caller(self.limits))
                }
            case .code(let code): try await self.flow.comeBack(login.id, secret: login.secret, code: code)
            }
        }
        return await self.answers.response(.ok, view, unknown: body.unknown)
    }
}
