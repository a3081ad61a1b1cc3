// The list of the app's login buttons.

import Foundation

extension LoginClient {
    /// The last list, and the value of `If-None-Match` that names it.
    struct ProviderList: Sendable {
        let etag: String?
        let body: Data
    }

    /// Returns the providers of the app, in the order of the server's configuration, with their names in the first of
    /// these languages that they have.
    ///
    /// The client keeps the list while it lives, and asks whether it has changed. Without a usable response it returns
    /// the list that it has.
    public func providers(languages: [String] = Locale.preferredLanguages) async throws(ProvidersError) -> [EIDProvider]
    {
        let cached = self.providerList.withLock { $0 }
        func fall(back error: ProvidersError) throws(ProvidersError) -> [EIDProvider] {
            guard let list = cached.flatMap({ EIDProvider.list($0.body, languages: languages) }) else { throw error }
            return list
        }
        let response: HTTPResponse
        do {
            response = try await self.dependencies.send(
                self.providersRequest(etag: cached?.etag), as: "providers", reference: nil)
        } catch {
            return try fall(back: .noResponse(.noResponse))
        }
        switch response.status {
        case 200:
            guard let list = EIDProvider.list(response.body, languages: languages) else { break }
            self.providerList.withLock { $0 = ProviderList(etag: response["ETag"], body: response.body) }
            return list
        case 304 where cached != nil: return try fall(back: .noResponse(.unexpectedResponse(status: 304)))
        case 429: return try fall(back: .noResponse(.rateLimited))
        case 400...499:
            if let problem = Problem(response) { throw .refused(problem) }
        case 500...599: return try fall(back: .noResponse(.serviceUnavailable))
        default: break
        }
        return try fall(back: .noResponse(.unexpectedResponse(status: response.status)))
    }

    private func providersRequest(etag: String?) -> HTTPRequest {
        let path = self.server.appendingPathComponent("v1/providers")
        var components = URLComponents(url: path, resolvingAgainstBaseURL: false)
        if let app { components?.queryItems = [URLQueryItem(name: "app", value: app)] }
        let fields = ["Accept": "application/json", "If-None-Match": etag].compactMapValues { $0 }
        return HTTPRequest(method: "GET", url: components?.url ?? path, fields: fields, body: nil, timeout: 20)
    }
}
