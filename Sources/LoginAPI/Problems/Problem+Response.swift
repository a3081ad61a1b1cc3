// Makes the response to a problem: `application/problem+json`.

import HTTPWire
import StrictJSON

extension Problem {
    /// `publicURL` is the base of `type`, which links to the page of the code.
    package func response(requestID: String, publicURL: String = "") -> Response {
        let status = self.code.status
        var members: JSON.Object = [
            "type": .string(publicURL + PathPattern.problem.path(self.code.rawValue)),
            "title": .string(status.reason), "status": .integer(status.rawValue), "code": .string(self.code.rawValue),
            "detail": .string(self.code.detail), "request_id": .string(requestID),
        ]
        if let member = self.member { members["member"] = .string(member) }
        if let triesLeft = self.triesLeft { members["tries_left"] = .integer(triesLeft) }
        if let reason = self.reason { members["reason"] = .string(reason) }
        var fields: Fields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        if let challenge = self.challenge { fields[.wwwAuthenticate] = challenge }
        if let seconds = self.retryAfter { fields[.retryAfter] = String(seconds) }
        if !self.allowed.isEmpty { fields[.allow] = self.allowed.list }
        return Response(status, fields: fields, body: JSON.object(members).encoded())
    }

    /// RFC 6750 §3 and RFC 9449 §7.1: the challenge to a request without credentials names no error.
    private var challenge: String? {
        switch self.code {
        case .pollSecretRequired: "Bearer"
        case .malformedPollSecret, .appKeyRefused: "Bearer error=\"invalid_token\""
        case .dpopProofRequired: "DPoP algs=\"ES256\""
        case .dpopProofInvalid: "DPoP error=\"invalid_dpop_proof\", algs=\"ES256\""
        case .dpopNonceRequired: "DPoP error=\"use_dpop_nonce\""
        case .accessTokenInvalid: "DPoP error=\"invalid_token\", algs=\"ES256\""
        case .insufficientUserAuthentication: "DPoP error=\"insufficient_user_authentication\""
        case .malformedRequest, .httpsRequired, .requestTimeout, .contentTooLarge, .uriTooLong, .expectationFailed,
            .headerFieldsTooLarge, .notImplemented, .httpVersionNotSupported, .tooManyConnections, .responseTimeout,
            .internalError, .preconditionFailed, .notFound, .methodNotAllowed, .unsupportedMediaType, .malformedJSON,
            .unknownMember, .missingMember, .invalidMember, .secretInQuery, .unknownProvider, .unknownApp,
            .platformNotSupported, .parameterNotAllowed, .thumbprintRequired, .actionRequired, .differentBody,
            .unknownLogin, .gone, .notFinal, .notOurs, .wrongCode, .sessionNotAllowed, .attestationRequired,
            .attestationInvalid, .sessionKeyInUse, .sessionUnknown, .sessionEnded, .pinTooLate, .pinMalformed,
            .wrongPIN, .tooManyRequests, .pollingTooFast, .tooManyLogins, .tooManyPending, .brokerUnreachable,
            .storeUnavailable, .temporarilyUnavailable:
            nil
        }
    }
}
