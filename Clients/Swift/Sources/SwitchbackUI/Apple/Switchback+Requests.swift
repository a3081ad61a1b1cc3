// Requests to the app's API, with the session's access token.

#if canImport(UIKit)
import Foundation
import SwitchbackClient
import UIKit

extension Switchback {
    /// Begins the session after a login, or renews it after a step-up. Then it acknowledges the login.
    public func beginSession(after login: CompletedLogin) async throws(SessionError) {
        try await self.session.begin(after: login.session)
    }

    /// Sends a request to your API with the session's access token. A nonce that the API wants, an expired token and a
    /// step-up are answered, each once: `stepUp` is the login for the last, and without it the API's 401 is returned.
    ///
    /// The body must be data and no stream, because the request may be sent again.
    public func data(for request: URLRequest, stepUp: LoginRequest? = nil, in window: UIWindow? = nil) async throws
        -> (Data, HTTPURLResponse)
    {
        guard let url = request.url else { throw URLError(.badURL) }
        let (session, method) = (self.session, request.httpMethod ?? "GET")
        var logInAgain: (@Sendable () async throws -> Void)?
        if let stepUp, let browser = self.browser(for: window) {
            logInAgain = { try await self.answerStepUp(stepUp, over: browser) }
        }
        let call = ProtectedCall<(Data, HTTPURLResponse)>(
            fields: { try await session.authorizationFields(method: method, url: url, nonce: $0) },
            renew: { _ = try await session.accessToken(isNew: true) }, stepUp: logInAgain,
            send: { fields in
                var message = request
                for (name, value) in fields { message.setValue(value, forHTTPHeaderField: name) }
                let (body, response) = try await URLSession.shared.data(for: message)
                guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                return (body, response)
            },
            read: { _, response in
                let field = response.value(forHTTPHeaderField: "WWW-Authenticate")
                return (
                    APIChallenge(status: response.statusCode, field: field),
                    response.value(forHTTPHeaderField: "DPoP-Nonce")
                )
            })
        return try await call.run()
    }

    private func answerStepUp(_ request: LoginRequest, over browser: WindowBrowser) async throws {
        let login = try await self.logIn(request, over: browser)
        try await self.beginSession(after: login)
    }
}
#endif
