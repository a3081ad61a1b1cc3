/// How an authorization answer leaves: as it is, or signed where the relying party asked for a JWT (JARM).
import HTTPWire
import JOSE

extension ProviderCore {
    func response(_ answer: AuthorizationAnswer, _ fault: SandboxFault? = nil) -> Response {
        var answer = answer
        switch self.system {
        case .oidc, .idura: break
        // It promises `iss`, and leaves it out of errors.
        case .signaturgruppen: if answer["error"] != nil { answer["iss"] = nil }
        case .vipps: answer["iss"] = nil
        }
        guard answer.address.mode.isJWT, !answer.isPlain else { return answer.response }
        var draft = JWTDraft.response(answer, issuer: self.issuer, now: self.now())
        if case .signedResponse(let change)? = fault?.effect { change(&draft) }
        guard let jwt = try? self.issue(draft) else {
            return ErrorPage(
                status: .internalServerError, code: "server_error", description: "The answer cannot be signed."
            ).response
        }
        return answer.sealed(in: jwt).response
    }
}
