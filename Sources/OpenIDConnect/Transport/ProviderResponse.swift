import StrictJSON

/// A provider's response: bytes that are not validated yet.
package struct ProviderResponse: Sendable {
    /// For every kind of response: key sets of large providers have some 20 KiB, ID tokens with pictures have more.
    static let sizeLimit = 256 * 1024

    package let status: Int
    package let contentType: String?
    /// The target of a redirect. We never follow it.
    package let location: String?
    package let body: [UInt8]

    package init(status: Int, contentType: String?, location: String? = nil, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.location = location
        self.body = body
    }

    var isJSON: Bool { self.isOf("application/json") }

    /// RFC 7519 §10.3.1.
    var isJWT: Bool { self.isOf("application/jwt") }

    /// Ignores the case and any parameters (RFC 9110 §8.3.1).
    private func isOf(_ type: String) -> Bool {
        guard var essence = self.contentType?.prefix(while: { $0 != ";" }) else { return false }
        while essence.last == " " || essence.last == "\t" { essence.removeLast() }
        return essence.lowercased() == type
    }

    /// The body as JSON; nil if it is not JSON or too large.
    package var json: JSON? {
        guard self.isJSON, !self.isTooLarge else { return nil }
        return try? JSON(parsing: self.body, limits: JSON.Limits(byteCount: Self.sizeLimit))
    }

    /// The first kilobyte of the body as text. A provider may write anything there, so we compare it and never show it.
    package var text: String { String(decoding: self.body.prefix(1024), as: UTF8.self) }

    /// Whether the endpoint is not there (RFC 9110 §15.5.5, §15.5.11).
    package var isGone: Bool { Self.isGone(self.status) }

    static func isGone(_ status: Int) -> Bool { status == 404 || status == 410 }

    var isTooLarge: Bool { self.body.count > Self.sizeLimit }
}

extension ProviderResponse: RedactedDescription {
    package var description: String { "\(self.status) with \(self.body.count) bytes" }
}

// MARK: - OAuth

/// What the responses of a provider's OAuth endpoints have in common (RFC 6749 §5): JSON, or an error in JSON.
extension ProviderResponse {
    /// A retry does not correct a wrong secret. This is also true if the body is a page and not OAuth's JSON.
    package static func isDenial(_ status: Int) -> Bool { status == 401 || status == 403 }

    package func check(success: Int) throws(ProviderResponseError) {
        guard !self.isTooLarge else { throw .tooLarge }
        if let error = self.refusal { throw .oauth(error.word) }
        guard self.status == success else { throw .status(self.status) }
        guard self.isJSON else { throw .contentType }
    }

    /// The OAuth error of a response (RFC 6749 §5.2); nil when there is none.
    ///
    /// CIBA Core 13 uses 403 for some errors. Some providers send an error with a success status. With any other status
    /// the response did not come from the endpoint itself, whatever its body says.
    package var refusal: OAuthError? {
        switch self.status {
        case 200..<300, 400, 401, 403:
            guard let json = self.json, let code = json["error"]?.string, !code.isEmpty else { return nil }
            return OAuthError(code: code, description: json["error_description"]?.string)
        default:
            return nil
        }
    }
}

/// Why a response is not the expected success.
package enum ProviderResponseError: Error, Equatable, Sendable {
    /// The provider refused, and said why.
    case oauth(ErrorWord)
    /// Neither a success nor an OAuth error.
    case status(Int)
    case contentType
    case tooLarge
    /// A success without the members of its definition.
    case malformed

    package var raw: String {
        switch self {
        case .oauth(let word): "error_\(word.text)"
        case .status(let status): "status_\(status)"
        case .contentType: "content_type"
        case .tooLarge: "too_large"
        case .malformed: "malformed"
        }
    }

    /// The provider's own code, if it sent one.
    package var word: ErrorWord? {
        guard case .oauth(let word) = self else { return nil }
        return word
    }

    /// Whether the provider does not accept us as its client, or does not permit this request. A later retry would not
    /// help.
    package var isDenial: Bool {
        switch self {
        case .oauth: true
        case .status(let status): ProviderResponse.isDenial(status)
        case .contentType, .tooLarge, .malformed: false
        }
    }
}
