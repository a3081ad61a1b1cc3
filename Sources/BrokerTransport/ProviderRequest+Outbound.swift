// Converts requests, responses and errors between OpenID Connect and the HTTP client.

import OpenIDConnect
import Outbound

extension OutboundRequest {
    /// The request may take at most `timeout`, from the first packet to the last.
    package init(_ request: ProviderRequest, timeout: Duration) {
        self.init(
            method: Method(request.method), delivery: Delivery(request.delivery), url: request.url,
            fields: request.fields, body: request.body, deadline: timeout, limit: request.limit)
    }
}

extension OutboundRequest.Method {
    fileprivate init(_ method: ProviderRequest.Method) {
        switch method {
        case .get: self = .get
        case .post: self = .post
        case .delete: self = .delete
        }
    }
}

extension OutboundRequest.Delivery {
    fileprivate init(_ delivery: ProviderRequest.Delivery) {
        switch delivery {
        case .atMostOnce: self = .atMostOnce
        case .idempotent: self = .idempotent
        }
    }
}

extension ProviderResponse {
    package init(_ response: OutboundResponse) {
        self.init(
            status: response.status, contentType: response["content-type"], location: response["location"],
            body: response.body)
    }
}

extension FetchError {
    package init(_ error: OutboundError) {
        switch error {
        case .unreachable(let detail): self = .unreachable(detail)
        case .noDescriptors(let detail): self = .noDescriptors(detail)
        case .timedOut: self = .timedOut("no response in time")
        case .tooLarge: self = .tooLarge("the response is larger than allowed")
        case .certificate(let detail): self = .tls(detail)
        case .refused(let detail): self = .refused(detail)
        case .closed(let detail): self = .closed(detail)
        case .encoding(let detail): self = .encoding(detail)
        case .broken(let detail): self = .broken(detail)
        case .busy: self = .busy
        case .cancelled: self = .cancelled
        }
    }
}
