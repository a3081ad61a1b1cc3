/// What the server's own refusals are called in an answer.
import HTTPServer
import HTTPWire

extension Problem.Code {
    package init(_ refusal: ServerRefusal) {
        switch refusal.cause {
        case .malformed(let error): self.init(error)
        case .unknownExpectation: self = .expectationFailed
        case .noProxy: self = .notImplemented
        case .requestTimedOut: self = .requestTimeout
        case .handlerTimedOut: self = .responseTimeout
        case .handlerFailed: self = .internalError
        case .connectionRefused: self = .tooManyConnections
        case .plainHTTP: self = .httpsRequired
        }
    }

    private init(_ error: ParseError) {
        switch error {
        case .badRequestLine, .badTarget, .badLineEnd, .foldedLine, .badFieldName, .badFieldValue, .badHost,
            .badContentLength, .badTransferEncoding, .ambiguousFraming, .badChunk, .chunkExtensionsTooLong:
            self = .malformedRequest
        case .targetTooLong: self = .uriTooLong
        case .unknownVersion: self = .httpVersionNotSupported
        case .headTooLarge, .tooManyFields: self = .headerFieldsTooLarge
        case .unknownTransferCoding: self = .notImplemented
        case .bodyTooLarge: self = .contentTooLarge
        // Only responses have these.
        case .badStatusLine, .cutOff: self = .internalError
        }
    }

    /// Whether it refuses a message of HTTP, whatever it was to be about.
    package var isOfHTTP: Bool {
        switch self {
        case .malformedRequest, .httpsRequired, .requestTimeout, .contentTooLarge, .uriTooLong, .expectationFailed,
            .headerFieldsTooLarge, .notImplemented, .httpVersionNotSupported, .tooManyConnections, .responseTimeout,
            .internalError, .preconditionFailed:
            true
        case .notFound, .methodNotAllowed, .unsupportedMediaType, .malformedJSON, .unknownMember,
            .missingMember, .invalidMember, .pollSecretRequired, .malformedPollSecret, .appKeyRefused, .secretInQuery,
            .unknownProvider, .unknownApp, .platformNotSupported, .parameterNotAllowed, .differentBody, .unknownLogin,
            .gone, .notFinal,
            .notOurs, .wrongCode, .pollingTooFast, .tooManyLogins, .tooManyPending, .brokerUnreachable,
            .storeUnavailable, .temporarilyUnavailable:
            false
        }
    }
}
