import HTTPWire
import StrictJSON

/// What a client is told when `/oauth` refuses its request (RFC 6749 §5.2).
///
/// Programs decide by `error`. As in problems, all texts are fixed.
package struct TokenEndpointError: Error, Equatable, Sendable {
    package enum Code: String, CaseIterable, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
        /// RFC 9449 §5 and §8.
        case invalidDPoPProof = "invalid_dpop_proof"
        case useDPoPNonce = "use_dpop_nonce"
        case wrongPIN = "wrong_pin"
        case pinRequired = "pin_required"
        /// The word is from RFC 9470 §3.
        case insufficientUserAuthentication = "insufficient_user_authentication"
        /// The word is from RFC 6749 §4.1.2.1.
        case temporarilyUnavailable = "temporarily_unavailable"
    }

    package let code: Code
    let status: Status
    /// The whole seconds after which the same request may succeed.
    let retryAfter: Int?
    /// How often the user may still try to type the PIN.
    let triesLeft: Int?
    /// The name that the app gave the PIN that is set.
    let pinID: String?

    package init(_ code: Code, triesLeft: Int? = nil, pinID: String? = nil) {
        self.code = code
        self.status = code.status
        self.retryAfter = code == .temporarilyUnavailable ? 5 : nil
        self.triesLeft = triesLeft
        self.pinID = pinID
    }

    init(limit problem: Problem) {
        self.code = .temporarilyUnavailable
        self.status = problem.code.status
        self.retryAfter = problem.retryAfter
        self.triesLeft = nil
        self.pinID = nil
    }

    package func response() -> Response {
        var members: JSON.Object = [
            "error": .string(self.code.rawValue), "error_description": .string(self.code.text),
        ]
        if let triesLeft { members["tries_left"] = .integer(triesLeft) }
        if let pinID { members["pin_id"] = .string(pinID) }
        var fields: Fields = [.contentType: "application/json", .cacheControl: "no-store"]
        if let retryAfter { fields[.retryAfter] = String(retryAfter) }
        return Response(self.status, fields: fields, body: JSON.object(members).encoded())
    }
}

extension TokenEndpointError.Code {
    package var status: Status { self == .temporarilyUnavailable ? .serviceUnavailable : .badRequest }

    /// RFC 6749 §5.2 allows neither quotation marks nor backslashes nor other characters than ASCII.
    var text: String {
        switch self {
        case .invalidRequest: "Send a form with each parameter once, and no parameter in the URL."
        case .invalidClient: "client_id must be the name of an app of this server, without client authentication."
        case .invalidGrant: "The refresh token is not valid for this client and key, or its session has ended."
        case .unsupportedGrantType: "The only grant_type is refresh_token."
        case .invalidDPoPProof: "Send one DPoP proof for this request, signed with the key of the session."
        case .useDPoPNonce: "Send a new DPoP proof with the nonce in DPoP-Nonce."
        case .wrongPIN: "This is not the PIN. Ask the user again while tries_left is above 0."
        case .pinRequired: "The idle time has passed. Ask for the PIN, and send pin_proof in the DPoP proof."
        case .insufficientUserAuthentication: "The user must log in again with the e-ID."
        case .temporarilyUnavailable: "Send the same request again after Retry-After seconds."
        }
    }
}
