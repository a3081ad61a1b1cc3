/// `POST /v1/logins`: an app starts a login, or asks again for the one that this poll secret has started.
import Base
import HTTPWire
import Logins

struct CreateLogin: Sendable {
    let flow: LoginFlow
    let answers: LoginAnswers
    let limits: RequestLimits
    let keys: AppKeys
    /// The app of requests that name none.
    let defaultApp: String?

    nonisolated(nonsending) func response(to call: Call) async throws(Problem) -> Response {
        let client = call.client
        try self.limits.takeCreate(from: client, at: call.loop.elapsed)
        let body = try CreateBody(call.request, defaultApp: self.defaultApp)
        // Before it is counted, so that the table of counts holds no names but ours.
        guard let key = self.keys.keys[body.login.app] else { throw Problem(.unknownApp, member: "app") }
        try self.limits.takeCreate(for: body.login.app, from: client, at: call.loop.elapsed)
        // An app's own backend calls for all of its users, from one address.
        let shown = try AppKeys.shown(by: call.request)
        guard let reader = self.keys.reader(showing: shown, of: body.login.app) else { throw Problem(.appKeyRefused) }
        let hasKey = try Self.shows(key, call.request) || reader == .backend
        let caller = hasKey ? Caller(address: call.address, hasKey: true) : call.caller(self.limits)
        let secret = body.pollSecret ?? PollSecret.make()
        let (view, isNew) = try await answering { () async throws(Refusal) in
            try await call.inTurn { () async throws(Refusal) in
                try await self.flow.create(body.login, secret: secret, by: caller)
            }
        }
        var response = await self.answers.response(
            isNew ? .created : .ok, view, pollSecret: body.pollSecret == nil ? secret : nil,
            unknown: body.unknown)
        response.fields[.location] = Route.login(id: view.id.description).path
        return response
    }

    /// Whoever shows a key that is not the app's is told so, rather than taken for the app.
    private static func shows(_ key: Secret?, _ request: Request) throws(Problem) -> Bool {
        let shown = request.fields.all(.authorization)
        guard !shown.isEmpty else { return false }
        let parts = shown[0].split(separator: " ", maxSplits: 1)
        guard shown.count == 1, parts.count == 2, parts[0].lowercased() == "bearer", let key,
            Secret(String(parts[1])) == key
        else { throw Problem(.appKeyRefused) }
        return true
    }
}
