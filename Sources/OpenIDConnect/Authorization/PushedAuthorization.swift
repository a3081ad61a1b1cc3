/// The answer to a pushed authorization request (RFC 9126 §2.2): what the browser carries in its place.
import StrictJSON

package struct PushedAuthorization: Sendable {
    /// For one use.
    package let requestURI: String
    /// In seconds.
    package let expiresIn: Int

    /// Only 201 is a success, as RFC 9126 §2.2 says: what answers 200 is something else than this endpoint.
    package static func judge(_ response: ProviderResponse) throws(PushedAuthorizationError) -> Self {
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

/// Who has the reference can take the request for his own.
extension PushedAuthorization: Unprinted {}

/// Why a pushed authorization request was not taken.
package enum PushedAuthorizationError: Error, Equatable, Sendable {
    case refused(ProviderResponseError)
    case malformed

    package var raw: String {
        switch self {
        case .refused(let error): "par_\(error.raw)"
        case .malformed: "par_malformed"
        }
    }
}
