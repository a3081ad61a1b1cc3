import StrictJSON

/// The response to a pushed authorization request (RFC 9126 §2.2): the reference that the browser brings.
package struct PushedAuthorization: Sendable {
    /// It can be used once.
    package let requestURI: String
    /// In seconds.
    package let expiresIn: Int

    /// Only 201 is a success (RFC 9126 §2.2): a response with 200 does not come from this endpoint.
    package static func validate(_ response: ProviderResponse) throws(PushedAuthorizationError) -> Self {
        do throws(ProviderResponseError) {
            try response.check(success: 201)
        } catch {
            throw .refused(error)
        }
        return try Self(response.body)
    }

    init(_ body: [UInt8]) throws(PushedAuthorizationError) {
        guard let members = (try? JSON(parsing: body))?.object else { throw .malformed }
        guard let requestURI = members["request_uri"]?.string, (1...2048).contains(requestURI.utf8.count),
            requestURI.utf8.allSatisfy({ $0.isVisibleOrSpace && $0 != 0x20 })
        else { throw .malformed }
        guard let expiresIn = members["expires_in"]?.wholeSeconds, expiresIn > 0 else { throw .malformed }
        self.requestURI = requestURI
        self.expiresIn = expiresIn
    }
}

/// An attacker who knows the reference can use the request as their own.
extension PushedAuthorization: RedactedDescription {}

/// Why a pushed authorization request failed.
package enum PushedAuthorizationError: Error, Equatable, Sendable {
    case refused(ProviderResponseError)
    case malformed

    /// The provider's own error code, if it sent one.
    package var word: ErrorWord? {
        guard case .refused(let error) = self else { return nil }
        return error.word
    }

    package var raw: String {
        switch self {
        case .refused(let error): "par_\(error.raw)"
        case .malformed: "par_malformed"
        }
    }
}
