import StrictJSON

/// The response to a pushed authorization request (RFC 9126 §2.2): the reference that the browser brings.
package struct PushedAuthorization: Sendable {
    /// It can be used once.
    package let requestURI: String
    /// In seconds.
    package let expiresIn: Int

    /// Only 201 is a success (RFC 9126 §2.2): a response with 200 does not come from this endpoint.
    package static func validate(_ response: ProviderResponse) throws(ProviderResponseError) -> Self {
        try response.check(success: 201)
        guard let pushed = Self(response.body) else { throw .malformed }
        return pushed
    }

    init?(_ body: [UInt8]) {
        guard let members = (try? JSON(parsing: body))?.object,
            let requestURI = members["request_uri"]?.string, (1...2048).contains(requestURI.utf8.count),
            requestURI.utf8.allSatisfy({ $0.isVisibleOrSpace && $0 != 0x20 }),
            let expiresIn = members["expires_in"]?.wholeSeconds, expiresIn > 0
        else { return nil }
        self.requestURI = requestURI
        self.expiresIn = expiresIn
    }
}

/// An attacker who knows the reference can use the request as their own.
extension PushedAuthorization: RedactedDescription {}
