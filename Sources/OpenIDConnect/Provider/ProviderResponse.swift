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
