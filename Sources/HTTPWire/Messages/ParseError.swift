/// The validation error of a request. The connection cannot be used any more. Metrics show the raw value.
package enum ParseError: String, Error, Equatable, Sendable, CaseIterable {
    /// Not `method SP target SP version` (RFC 9112 §3).
    case badRequestLine = "bad_request_line"
    /// The target has none of the four forms of RFC 9112 §3.2, or one that the method does not allow.
    case badTarget = "bad_target"
    case targetTooLong = "target_too_long"
    /// The version is HTTP, but neither 1.0 nor 1.1.
    case unknownVersion = "unknown_version"
    /// A line feed has no carriage return before it (RFC 9112 §2.2).
    case badLineEnd = "bad_line_end"
    /// A line continues the line before it (RFC 9112 §5.2).
    case foldedLine = "folded_line"
    /// A name is not a token, or has a space before the colon (RFC 9112 §5.1).
    case badFieldName = "bad_field_name"
    /// A value contains a control byte (RFC 9110 §5.5).
    case badFieldValue = "bad_field_value"
    case headTooLarge = "head_too_large"
    case tooManyFields = "too_many_fields"
    /// There is no host, more than one, or an invalid one (RFC 9112 §3.2).
    case badHost = "bad_host"
    case badContentLength = "bad_content_length"
    /// A list of codings has an empty element (RFC 9112 §6.1).
    case badTransferEncoding = "bad_transfer_encoding"
    case unknownTransferCoding = "unknown_transfer_coding"
    /// The fields disagree on where the body ends (RFC 9112 §6.3).
    case ambiguousFraming = "ambiguous_framing"
    case bodyTooLarge = "body_too_large"
    /// A chunk is malformed (RFC 9112 §7.1).
    case badChunk = "bad_chunk"
    case chunkExtensionsTooLong = "chunk_extensions_too_long"
}

extension ParseError {
    /// The status of the response to the sender.
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
        }
    }
}
