/// Which rule the bytes of a message broke. The connection that they came on is of no further use. Metrics have the raw value.
package enum ParseError: String, Error, Equatable, Sendable, CaseIterable {
    /// Not `method SP target SP version` (RFC 9112 §3).
    case badRequestLine = "bad_request_line"
    /// None of the four forms of RFC 9112 §3.2, or one that the method does not allow.
    case badTarget = "bad_target"
    case targetTooLong = "target_too_long"
    /// HTTP, but neither 1.0 nor 1.1.
    case unknownVersion = "unknown_version"
    /// A line feed without its carriage return (RFC 9112 §2.2).
    case badLineEnd = "bad_line_end"
    /// A line that goes on with the one before (RFC 9112 §5.2).
    case foldedLine = "folded_line"
    /// A name that is no token, or a blank before the colon (RFC 9112 §5.1).
    case badFieldName = "bad_field_name"
    /// A control byte in a value (RFC 9110 §5.5).
    case badFieldValue = "bad_field_value"
    case headTooLarge = "head_too_large"
    case tooManyFields = "too_many_fields"
    /// None, more than one, or one that is no host (RFC 9112 §3.2).
    case badHost = "bad_host"
    case badContentLength = "bad_content_length"
    /// A list of codings without a coding (RFC 9112 §6.1).
    case badTransferEncoding = "bad_transfer_encoding"
    case unknownTransferCoding = "unknown_transfer_coding"
    /// More than one answer to the question where the body ends (RFC 9112 §6.3).
    case ambiguousFraming = "ambiguous_framing"
    case bodyTooLarge = "body_too_large"
    /// RFC 9112 §7.1.
    case badChunk = "bad_chunk"
    case chunkExtensionsTooLong = "chunk_extensions_too_long"
    /// Not `version SP code SP reason` (RFC 9112 §4). Only responses have it.
    case badStatusLine = "bad_status_line"
    /// The connection ended before the message. Only responses have it.
    case cutOff = "cut_off"
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
