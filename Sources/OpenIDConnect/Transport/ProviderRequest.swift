import Base

/// A request to a provider, before it is sent. A `Fetch` sends it.
///
/// Its description omits the query, the fields and the body, because they contain the secrets.
package struct ProviderRequest: Sendable {
    package enum Purpose: String, CaseIterable, Sendable {
        case discovery
        case keys
        case pushedAuthorization = "par"
        case token
        case userinfo
        /// Starts a login without a browser.
        case start
        /// Asks for the state of that login.
        case progress
        /// Cancels that login.
        case cancel

        /// Whether the URL is an endpoint that the provider's metadata names. Those of the others come from responses,
        /// or lie below the issuer.
        package var isOfMetadata: Bool {
            switch self {
            case .pushedAuthorization, .token, .userinfo: true
            case .discovery, .keys, .start, .progress, .cancel: false
            }
        }
    }

    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case delete = "DELETE"
    }

    /// How often the provider may see the request.
    package enum Delivery: Sendable {
        /// A second request would have another effect than the first, such as redeeming a used code or starting another
        /// order. The sender never repeats it by itself, even when it cannot tell whether it arrived.
        case atMostOnce
        /// RFC 9110 §9.2.2: a repeated request has the same effect as one. It may be sent again when a connection ends.
        case idempotent
    }

    package let purpose: Purpose
    package let method: Method
    package let delivery: Delivery
    package let url: String
    package private(set) var fields: [Parameter]
    package let body: [UInt8]
    /// The largest body of a response, in bytes.
    package let limit: Int

    package init(
        _ purpose: Purpose, _ method: Method, _ url: EndpointURL, delivery: Delivery, fields: [Parameter],
        body: [UInt8] = []
    ) {
        self.purpose = purpose
        self.method = method
        self.delivery = delivery
        self.url = url.text
        self.fields = fields
        self.body = body
        self.limit = ProviderResponse.sizeLimit
    }
}

extension ProviderRequest {
    /// Returns the same request with more fields.
    package func adding(_ fields: [Parameter]) -> Self {
        var request = self
        request.fields += fields
        return request
    }
}

/// Sends one request and returns the response, whatever its status. It follows no redirects.
package typealias Fetch = @Sendable (ProviderRequest) async throws(FetchError) -> ProviderResponse

extension ProviderRequest: RedactedDescription {
    package var description: String {
        "\(self.purpose.rawValue): \(self.method.rawValue) \(self.url.prefix { $0 != "?" })"
    }
}
