/// Which rule the bytes of a message broke. The connection that they came on is of no further use.
package enum ParseError: Error, Equatable, Sendable, CaseIterable {
    /// Not `method SP target SP version` (RFC 9112 §3).
    case badRequestLine
    /// None of the four forms of RFC 9112 §3.2, or one that the method does not allow.
    case badTarget
    case targetTooLong
    /// HTTP, but neither 1.0 nor 1.1.
    case unknownVersion
    /// A line feed without its carriage return (RFC 9112 §2.2).
    case badLineEnd
    /// A line that goes on with the one before (RFC 9112 §5.2).
    case foldedLine
    /// A name that is no token, or a blank before the colon (RFC 9112 §5.1).
    case badFieldName
    /// A control byte in a value (RFC 9110 §5.5).
    case badFieldValue
    case headTooLarge
    case tooManyFields
    /// None, more than one, or one that is no host (RFC 9112 §3.2).
    case badHost
    case badContentLength
    /// A list of codings without a coding (RFC 9112 §6.1).
    case badTransferEncoding
    case unknownTransferCoding
    /// More than one answer to the question where the body ends (RFC 9112 §6.3).
    case ambiguousFraming
    case bodyTooLarge
    /// RFC 9112 §7.1.
    case badChunk
    case chunkExtensionsTooLong
    /// Not `version SP code SP reason` (RFC 9112 §4). Only responses have it.
    case badStatusLine
    /// The connection ended before the message. Only responses have it.
    case cutOff
}

extension ParseError {
    /// What whoever sent the bytes is told.
    package var status: Status {
        switch self {
        case .badRequestLine, .badTarget, .badLineEnd, .foldedLine, .badFieldName, .badFieldValue, .badHost,
            .badContentLength, .badTransferEncoding, .ambiguousFraming, .badChunk, .chunkExtensionsTooLong:
            .badRequest
        case .targetTooLong: .uriTooLong
        case .unknownVersion: .httpVersionNotSupported
        case .headTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge
        case .unknownTransferCoding: .notImplemented
        case .bodyTooLarge: .contentTooLarge
        case .badStatusLine, .cutOff: .badGateway
        }
    }
}
