/// The only place where a problem becomes a number.
import HTTPWire

extension Problem.Code {
    package var status: Status {
        switch self {
        case .malformedRequest, .httpsRequired: .badRequest
        case .requestTimeout: .requestTimeout
        case .contentTooLarge: .contentTooLarge
        case .uriTooLong: .uriTooLong
        case .expectationFailed: .expectationFailed
        case .headerFieldsTooLarge: .requestHeaderFieldsTooLarge
        case .internalError: .internalServerError
        case .notImplemented: .notImplemented
        case .httpVersionNotSupported: .httpVersionNotSupported
        case .preconditionFailed: .preconditionFailed
        case .malformedJSON, .unknownMember, .missingMember, .invalidMember, .secretInQuery: .badRequest
        case .pollSecretRequired, .malformedPollSecret, .appKeyRefused: .unauthorized
        case .notFound, .unknownLogin: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notFinal: .conflict
        case .gone: .gone
        case .unsupportedMediaType: .unsupportedMediaType
        case .unknownProvider, .unknownApp, .platformNotSupported, .parameterNotAllowed, .differentBody, .notOurs,
            .wrongCode:
            .unprocessableContent
        case .pollingTooFast, .tooManyLogins, .tooManyPending: .tooManyRequests
        case .brokerUnreachable: .badGateway
        case .storeUnavailable, .temporarilyUnavailable, .tooManyConnections, .responseTimeout: .serviceUnavailable
        }
    }

    /// After how many seconds the same may succeed, where nobody knows better.
    var retryAfter: Int? {
        switch self {
        case .tooManyPending: 30
        case .brokerUnreachable, .storeUnavailable, .temporarilyUnavailable, .tooManyConnections, .responseTimeout: 5
        case .pollingTooFast, .tooManyLogins: 1
        case .malformedRequest, .httpsRequired, .requestTimeout, .contentTooLarge, .uriTooLong, .expectationFailed,
            .headerFieldsTooLarge, .notImplemented, .httpVersionNotSupported, .internalError, .preconditionFailed,
            .notFound, .methodNotAllowed, .unsupportedMediaType, .malformedJSON, .unknownMember, .missingMember,
            .invalidMember, .pollSecretRequired, .malformedPollSecret, .appKeyRefused, .secretInQuery, .unknownProvider,
            .unknownApp, .platformNotSupported,
            .parameterNotAllowed, .differentBody, .unknownLogin, .gone, .notFinal, .notOurs, .wrongCode:
            nil
        }
    }
}
