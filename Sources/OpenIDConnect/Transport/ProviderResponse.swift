/// What a provider answered: bytes that nobody has judged yet.
import StrictJSON

package struct ProviderResponse: Sendable {
    /// For every kind of answer: key sets of large providers have some 20 KiB, ID tokens with pictures more.
    static let sizeLimit = 256 * 1024

    package let status: Int
    package let contentType: String?
    /// Where a redirect leads. None is ever followed.
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

    /// In any case and with any parameters (RFC 9110 §8.3.1).
    private func isOf(_ type: String) -> Bool {
        guard var essence = self.contentType?.prefix(while: { $0 != ";" }) else { return false }
        while essence.last == " " || essence.last == "\t" { essence.removeLast() }
        return essence.lowercased() == type
    }

    /// The body, if it is JSON and not too large.
    package var json: JSON? {
        guard self.isJSON, !self.isTooLarge else { return nil }
        return try? JSON(parsing: self.body, limits: JSON.Limits(byteCount: Self.sizeLimit))
    }

    /// The first kilobyte of the body as text. It may say anything, so it is compared and never shown.
    package var text: String { String(decoding: self.body.prefix(1024), as: UTF8.self) }

    var isTooLarge: Bool { self.body.count > Self.sizeLimit }
}

extension ProviderResponse: Unprinted {
    package var description: String { "\(self.status) with \(self.body.count) bytes" }
}

// MARK: - OAuth

/// What the answers of a provider's OAuth endpoints have in common (RFC 6749 §5): JSON, or an error in JSON.
extension ProviderResponse {
    /// A wrong secret does not get better by waiting, also where the answer is a page and not OAuth's JSON.
    package static func isDenial(_ status: Int) -> Bool { status == 401 || status == 403 }

    package func check(success: Int) throws(ProviderResponseError) {
        guard !self.isTooLarge else { throw .tooLarge }
        if let error = self.refusal { throw .oauth(error) }
        guard self.status == success else { throw .status(self.status) }
        guard self.isJSON else { throw .contentType }
    }

    /// The OAuth error of an answer (RFC 6749 §5.2); nil where it says none.
    ///
    /// 403 is what CIBA Core 13 has for some errors. Some providers send an error with the status of a success. Any other
    /// status is not the endpoint's own answer, whatever its body says.
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

/// Why an answer is not the success that was asked for.
package enum ProviderResponseError: Error, Equatable, Sendable {
    /// The provider said no, and why.
    case oauth(OAuthError)
    /// Neither a success nor an OAuth error.
    case status(Int)
    case contentType
    case tooLarge

    package var raw: String {
        switch self {
        case .oauth(let error): "error_\(error.code)"
        case .status(let status): "status_\(status)"
        case .contentType: "content_type"
        case .tooLarge: "too_large"
        }
    }

    /// Whether the provider does not take us for its client, or does not let us do this. It will say the same tomorrow.
    package var isDenial: Bool {
        switch self {
        case .oauth: true
        case .status(let status): ProviderResponse.isDenial(status)
        case .contentType, .tooLarge: false
        }
    }
}
