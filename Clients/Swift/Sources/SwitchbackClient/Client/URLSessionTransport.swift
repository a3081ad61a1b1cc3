// A transport over URLSession, for Apple's platforms only: elsewhere it leaks, and ignores its deadlines.

#if canImport(Darwin)
import Foundation

extension LoginClientDependencies {
    /// Returns dependencies with a URLSession of their own, which keeps no cookies, cache or credentials.
    public static func urlSession() -> LoginClientDependencies {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        // Each login holds a poll open, also one that was replaced. A new one must not wait for them.
        configuration.httpMaximumConnectionsPerHost = 16
        let session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
        return LoginClientDependencies { try await session.answer(to: $0) }
    }
}

extension URLSession {
    fileprivate func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        var message = URLRequest(
            url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: request.timeout)
        message.httpMethod = request.method
        message.httpBody = request.body
        for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await self.data(for: message)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields { fields[name] = value }
        return HTTPResponse(status: response.statusCode, fields: fields, body: body)
    }
}

/// Refuses redirects. The API never redirects, so a redirect comes from something on the way, which must not get the
/// secret.
private final class NoRedirects: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
#endif
