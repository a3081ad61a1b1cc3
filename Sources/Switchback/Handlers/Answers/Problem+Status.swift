/// The only place where a problem becomes a number.
import HTTPWire

extension Problem.Code {
    package var status: Status {
        switch self {
        case .malformedJSON, .unknownMember, .missingMember, .invalidMember, .secretInQuery: .badRequest
        case .pollSecretRequired, .malformedPollSecret, .appKeyRefused: .unauthorized
        case .notFound, .unknownLogin: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notFinal: .conflict
        case .gone: .gone
        case .unsupportedMediaType: .unsupportedMediaType
        case .unknownProvider, .unknownApp, .parameterNotAllowed, .differentBody, .notOurs, .wrongCode:
            .unprocessableContent
        case .pollingTooFast, .tooManyLogins, .tooManyPending: .tooManyRequests
        case .brokerUnreachable: .badGateway
        case .storeUnavailable, .temporarilyUnavailable: .serviceUnavailable
        }
    }

    /// After how many seconds the same may succeed, where nobody knows better.
    var retryAfter: Int? {
        switch self {
        case .tooManyPending: 30
        case .brokerUnreachable, .storeUnavailable, .temporarilyUnavailable: 5
        case .pollingTooFast, .tooManyLogins: 1
        case .notFound, .methodNotAllowed, .unsupportedMediaType, .malformedJSON, .unknownMember, .missingMember,
            .invalidMember, .pollSecretRequired, .malformedPollSecret, .appKeyRefused, .secretInQuery, .unknownProvider,
            .unknownApp,
            .parameterNotAllowed, .differentBody, .unknownLogin, .gone, .notFinal, .notOurs, .wrongCode:
            nil
        }
    }
}
