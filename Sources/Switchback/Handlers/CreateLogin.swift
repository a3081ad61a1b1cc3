/// `POST /v1/logins`: an app starts a login, or asks again for the one that this poll secret has started.
import HTTPWire
import Logins

struct CreateLogin: Sendable {
    let flow: LoginFlow
    let answers: LoginAnswers
    let limits: RequestLimits
    let apps: Set<String>

    func response(to call: Call) async throws(Problem) -> Response {
        try self.limits.takeCreate(from: call.client, at: call.loop.elapsed)
        let body = try CreateBody(call.request, apps: self.apps)
        // Before it is counted, so that the table of counts holds no names but ours.
        guard self.apps.contains(body.login.app) else { throw Problem(.unknownApp, member: "app") }
        try self.limits.takeCreate(for: body.login.app, at: call.loop.elapsed)
        let secret = body.pollSecret ?? PollSecret.make()
        let (view, isNew) = try await answering { () async throws(Refusal) in
            try await self.flow.create(body.login, secret: secret, address: call.client.description)
        }
        var response = await self.answers.response(
            isNew ? .created : .ok, view, pollSecret: body.pollSecret == nil ? secret : nil)
        response.fields[.location] = Route.login(id: view.id.description).path
        return response
    }
}
