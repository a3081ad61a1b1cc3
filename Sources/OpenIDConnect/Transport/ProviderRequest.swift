/// A request to a provider, built and not yet sent: whoever sends it is passed in as a `Fetch`.
///
/// It is printed without its query, fields and body, where the secrets are.
import Base

package struct ProviderRequest: Sendable {
    package enum Purpose: String, CaseIterable, Sendable {
        case discovery
        case keys
        case pushedAuthorization = "par"
        case token
        case userinfo
        /// A login without a browser is asked for.
        case start
        /// How it stands.
        case progress
        /// Nobody waits for it any more.
        case cancel
    }

    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case delete = "DELETE"
    }

    /// How often the provider may see it.
    package enum Delivery: Sendable {
        /// A second one would do something else than the first: redeem a spent code, start another order. Whoever sends it
        /// never sends it again by itself, even when it cannot tell whether it arrived.
        case atMostOnce
        /// RFC 9110 §9.2.2: seen twice, it does what it does seen once. It may be sent again when a connection ends.
        case idempotent
    }

    package let purpose: Purpose
    package let method: Method
    package let delivery: Delivery
    package let url: String
    package private(set) var fields: [Parameter]
    package let body: [UInt8]
    /// An answer with a longer body is not wanted.
    package let limit: Int
    /// From the first packet to the last.
    package let deadline: Duration

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
        self.deadline = purpose == .token ? .seconds(10) : .seconds(5)
    }
}

extension ProviderRequest {
    /// The same, with more fields.
    package func adding(_ fields: [Parameter]) -> Self {
        var request = self
        request.fields += fields
        return request
    }
}

/// Sends one request and brings the answer, whatever its status; follows no redirects.
package typealias Fetch = @Sendable (ProviderRequest) async throws(FetchError) -> ProviderResponse

extension ProviderRequest: Unprinted {
    package var description: String {
        "\(self.purpose.rawValue): \(self.method.rawValue) \(self.url.prefix { $0 != "?" })"
    }
}
