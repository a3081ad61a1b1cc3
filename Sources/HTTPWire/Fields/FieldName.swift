/// The name of a field (RFC 9110 §5.1). It is always a token, and its case does not matter.
package struct FieldName: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable, Sendable {
        case known(KnownField)
        /// The name in lower case.
        case other(String)
    }

    private let kind: Kind

    init(_ field: KnownField) { self.kind = .known(field) }

    /// Returns nil if the text is not a token.
    package init?(_ text: String) {
        self.init(text.utf8.span)
    }

    init?(_ bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return nil }
        for index in bytes.indices where !bytes[index].isToken { return nil }
        self.init(token: bytes)
    }

    /// Takes bytes that are known to be a token.
    init(token bytes: Span<UInt8>) {
        if let field = FieldNameTable.shared.field(bytes) {
            self.kind = .known(field)
        } else {
            self.kind = .other(String(ascii: bytes).lowercased())
        }
    }

    /// The name in lower case.
    package var rawValue: String {
        switch self.kind {
        case .known(let field): field.rawValue.lowercased()
        case .other(let name): name
        }
    }

    /// The usual spelling.
    var spelling: String {
        switch self.kind {
        case .known(let field): field.rawValue
        case .other(let name): name
        }
    }

    /// Whether the message writer sets this field itself, so that callers cannot.
    var isWriters: Bool {
        switch self.kind {
        case .known(.contentLength), .known(.transferEncoding), .known(.connection), .known(.date): true
        case .known, .other: false
        }
    }

    package var description: String { self.rawValue }
}

extension FieldName: ExpressibleByStringLiteral {
    /// A literal is in our own code, so the first run shows one that is not a token.
    package init(stringLiteral text: String) {
        guard let name = FieldName(text) else { preconditionFailure("\(text) is no field name") }
        self = name
    }
}

// MARK: - Names used in code

extension FieldName {
    package static var accept: FieldName { FieldName(.accept) }
    package static var acceptEncoding: FieldName { FieldName(.acceptEncoding) }
    package static var acceptLanguage: FieldName { FieldName(.acceptLanguage) }
    package static var accessControlAllowOrigin: FieldName { FieldName(.accessControlAllowOrigin) }
    package static var allow: FieldName { FieldName(.allow) }
    package static var authorization: FieldName { FieldName(.authorization) }
    package static var cacheControl: FieldName { FieldName(.cacheControl) }
    package static var connection: FieldName { FieldName(.connection) }
    package static var contentEncoding: FieldName { FieldName(.contentEncoding) }
    package static var contentLanguage: FieldName { FieldName(.contentLanguage) }
    package static var contentLength: FieldName { FieldName(.contentLength) }
    package static var contentSecurityPolicy: FieldName { FieldName(.contentSecurityPolicy) }
    package static var contentType: FieldName { FieldName(.contentType) }
    package static var cookie: FieldName { FieldName(.cookie) }
    package static var crossOriginOpenerPolicy: FieldName { FieldName(.crossOriginOpenerPolicy) }
    package static var crossOriginResourcePolicy: FieldName { FieldName(.crossOriginResourcePolicy) }
    package static var date: FieldName { FieldName(.date) }
    package static var dpop: FieldName { FieldName(.dpop) }
    package static var dpopNonce: FieldName { FieldName(.dpopNonce) }
    package static var etag: FieldName { FieldName(.etag) }
    package static var expect: FieldName { FieldName(.expect) }
    package static var expires: FieldName { FieldName(.expires) }
    package static var forwarded: FieldName { FieldName(.forwarded) }
    package static var host: FieldName { FieldName(.host) }
    package static var ifMatch: FieldName { FieldName(.ifMatch) }
    package static var ifModifiedSince: FieldName { FieldName(.ifModifiedSince) }
    package static var ifNoneMatch: FieldName { FieldName(.ifNoneMatch) }
    package static var ifUnmodifiedSince: FieldName { FieldName(.ifUnmodifiedSince) }
    package static var keepAlive: FieldName { FieldName(.keepAlive) }
    package static var lastEventID: FieldName { FieldName(.lastEventID) }
    package static var lastModified: FieldName { FieldName(.lastModified) }
    package static var location: FieldName { FieldName(.location) }
    package static var origin: FieldName { FieldName(.origin) }
    package static var permissionsPolicy: FieldName { FieldName(.permissionsPolicy) }
    package static var prefer: FieldName { FieldName(.prefer) }
    package static var preferenceApplied: FieldName { FieldName(.preferenceApplied) }
    package static var purpose: FieldName { FieldName(.purpose) }
    package static var referer: FieldName { FieldName(.referer) }
    package static var referrerPolicy: FieldName { FieldName(.referrerPolicy) }
    package static var refresh: FieldName { FieldName(.refresh) }
    package static var retryAfter: FieldName { FieldName(.retryAfter) }
    package static var secPurpose: FieldName { FieldName(.secPurpose) }
    package static var server: FieldName { FieldName(.server) }
    package static var setCookie: FieldName { FieldName(.setCookie) }
    package static var strictTransportSecurity: FieldName { FieldName(.strictTransportSecurity) }
    package static var traceparent: FieldName { FieldName(.traceparent) }
    package static var trailer: FieldName { FieldName(.trailer) }
    package static var transferEncoding: FieldName { FieldName(.transferEncoding) }
    package static var upgrade: FieldName { FieldName(.upgrade) }
    package static var userAgent: FieldName { FieldName(.userAgent) }
    package static var vary: FieldName { FieldName(.vary) }
    package static var wwwAuthenticate: FieldName { FieldName(.wwwAuthenticate) }
    package static var xAccelBuffering: FieldName { FieldName(.xAccelBuffering) }
    package static var xContentTypeOptions: FieldName { FieldName(.xContentTypeOptions) }
    package static var xForwardedFor: FieldName { FieldName(.xForwardedFor) }
    package static var xForwardedHost: FieldName { FieldName(.xForwardedHost) }
    package static var xForwardedProto: FieldName { FieldName(.xForwardedProto) }
    package static var xFrameOptions: FieldName { FieldName(.xFrameOptions) }
    package static var xRealIP: FieldName { FieldName(.xRealIP) }
    package static var xRequestID: FieldName { FieldName(.xRequestID) }
    package static var xRobotsTag: FieldName { FieldName(.xRobotsTag) }
}
