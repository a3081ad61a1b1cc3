import HTTPServer
import HTTPWire

/// The pushed authorization request endpoint: takes a request from the client and returns a name for it (RFC 9126 §2).
struct PushedRequestEndpoint: Sendable {
    /// The parameters of client authentication, which are no part of the request.
    private static let proof: Set<String> = ["client_secret", "client_assertion", "client_assertion_type"]

    let core: ProviderCore

    func handle(_ request: Request, _ responder: ResponseHandle) {
        self.core.count(.pushedRequest)
        self.answer(request).send(on: responder, lateBy: self.core.lateness)
    }

    private func answer(_ request: Request) -> JSONResponse {
        do {
            return try self.store(request)
        } catch {
            return error.answer
        }
    }

    private func store(_ request: Request) throws(OAuthRefusal) -> JSONResponse {
        guard let form = Parameters(of: request) else { throw .init(.invalidRequest, "the body is not a form") }
        let client = try ClientProof(core: self.core, endpoint: ProviderRoute.pushedRequest.rawValue).client(
            request, form)
        let outer = Parameters(form.all.filter { !Self.proof.contains($0.name) })
        let parameters = try self.checked(outer, client)
        let reference = "urn:ietf:params:oauth:request_uri:" + RandomName.make()
        let pushedRequest = PushedRequest(clientID: client.clientID, parameters: parameters)
        let now = self.core.now()
        let (isKept, fault) = self.core.memory.withLock { memory in
            (
                memory.pushed.insert(pushedRequest, for: reference, at: now),
                memory.fault(for: client.clientID, state: parameters["state"], at: now)
            )
        }
        guard isKept else { throw .init(.serverError, "too many requests are waiting") }
        var answer = JSONResponse(
            .created,
            ["request_uri": .string(reference), "expires_in": .integer(Int(PushedRequest.lifetime.components.seconds))])
        if case .pushedRequest(let change)? = fault?.effect { change(&answer) }
        return answer
    }

    /// Checks the request as the authorization endpoint would, but tells the client instead of the user.
    private func checked(_ outer: Parameters, _ client: SandboxClient) throws(OAuthRefusal) -> Parameters {
        do throws(OAuthRefusal) {
            let parameters = try AuthorizationParameters(core: self.core, client: client).pushed(outer)
            _ = try SandboxAuthorizationRequest(parameters, for: client)
            return parameters
        } catch {
            throw .init(.invalidRequest, error.description)
        }
    }
}
