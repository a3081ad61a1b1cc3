import Base
import HTTPWire

/// A file that is served unchanged. It is compressed once, at its first request, and its content gives the entity tag.
package struct StaticFile: Sendable {
    private struct Form: Sendable {
        let body: [UInt8]
        let tag: EntityTag
        /// The fields that a cache needs. A 304 has them too (RFC 9110 §15.4.5).
        let cacheFields: Fields
        let fields: Fields

        init(_ body: [UInt8], _ tag: EntityTag, _ cacheFields: Fields, _ fields: Fields) {
            self.body = body
            self.tag = tag
            var all = cacheFields
            all[.etag] = tag.description
            self.cacheFields = all
            for field in fields { all.add(field.name, field.value) }
            self.fields = all
        }
    }

    /// In bytes. Whether a smaller file gets smaller depends on its bytes: a key set of 230 bytes does for one key and
    /// not for another. A file is compressed only once, so it may be smaller than other compressed responses.
    static let minimumSize = 512

    /// Made at the first request: compressing all files at the start would be a tenth of it. `gzip` is nil for a small
    /// file, and when compression does not make the file smaller.
    private let forms: Lazy<(plain: Form, gzip: Form?)>

    /// `hash` is a digest of the bytes as text, without quotes. It becomes the entity tag, so equal hashes must mean
    /// equal bytes. The compressed form gets its own tag, because its bytes differ (RFC 9110 §8.8.3).
    package init(bytes: [UInt8], hash: String, contentType: String, cacheControl: String) {
        self.forms = Lazy {
            let isLarge = bytes.count >= Self.minimumSize
            let compressed = isLarge ? Gzip.compress(bytes).flatMap { $0.count < bytes.count ? $0 : nil } : nil
            var common: Fields = [.cacheControl: cacheControl]
            // RFC 9110 §12.5.5: both forms need Vary, or a cache would serve one in place of the other.
            if compressed != nil { common.add(.vary, "accept-encoding") }
            let tag = EntityTag(strong: hash)
            return (
                Form(bytes, tag, common, [.contentType: contentType]),
                compressed.map {
                    Form($0, tag.packed(by: .gzip), common, [.contentType: contentType, .contentEncoding: "gzip"])
                }
            )
        }
    }

    /// Responds to `GET` and `HEAD`, and refuses any other method. The connection leaves out the body for `HEAD`.
    package func response(to request: Request) -> Response {
        guard request.method == .get || request.method == .head else {
            return Response(.methodNotAllowed, fields: [.allow: "GET, HEAD"])
        }
        let form = self.form(for: request)
        // RFC 9110 §13.2.2: before If-None-Match. If-Unmodified-Since is ignored, because the file has no date
        // (§13.1.4).
        if let ifMatch = EntityTag.List(request.fields.all(.ifMatch)), !ifMatch.matchesStrongly(form.tag) {
            return Response(.preconditionFailed, fields: form.cacheFields)
        }
        if let ifNoneMatch = EntityTag.List(request.fields.all(.ifNoneMatch)), ifNoneMatch.matches(form.tag) {
            return Response(.notModified, fields: form.cacheFields)
        }
        return Response(.ok, fields: form.fields, body: form.body)
    }

    private func form(for request: Request) -> Form {
        let (plain, gzip) = self.forms.value
        guard let gzip, ContentCoding.gzip.isAccepted(in: request.fields.all(.acceptEncoding)) else { return plain }
        return gzip
    }
}
