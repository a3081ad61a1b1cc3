import Base
import HTTPWire

/// Reads the form of a request to `/oauth` (RFC 6749 §3.2).
struct TokenForm {
    private let parameters: [Parameter]

    /// Checks what is the same for every request: the type of the body, no parameter twice, and nothing in the URL,
    /// because URLs are logged.
    init(_ request: Request) throws(TokenEndpointError) {
        guard request.mediaType?.isForm == true, request.target.query == nil,
            let parameters = try? FormBody.parse(request.body),
            Set(parameters.map(\.name)).count == parameters.count
        else { throw TokenEndpointError(.invalidRequest) }
        self.parameters = parameters
    }

    /// Returns a parameter. One without a value counts as absent (RFC 6749 §3.1); unknown ones are ignored.
    func value(_ name: String) throws(TokenEndpointError) -> String {
        guard let value = self.parameters.first(where: { $0.name == name })?.value, !value.isEmpty else {
            throw TokenEndpointError(.invalidRequest)
        }
        return value
    }
}
