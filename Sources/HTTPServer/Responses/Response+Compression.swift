// Compresses the responses whose handlers allow it, and no others.

import HTTPWire

extension Response {
    /// In bytes. Compressing a smaller body is not worth the time.
    private static let minimumSize = 1024

    /// Lets the connection compress the body, if the client accepts that and it is worthwhile.
    ///
    /// Never call it for a response that contains a secret: an attacker who can place text beside the secret learns
    /// about it from the length (the BREACH attack). This is why each response opts in.
    package func compressible(for request: Request) -> Response {
        guard self.status.allowsBody, self.isText else { return self }
        var response = self
        // RFC 9110 §12.5.5: both forms need Vary, or a cache would serve one in place of the other.
        response.fields.vary(on: .acceptEncoding)
        let isAccepted = ContentCoding.gzip.isAccepted(in: request.fields.all(.acceptEncoding))
        if isAccepted, self.body.count >= Self.minimumSize { response.coding = .gzip }
        return response
    }

    private var isText: Bool {
        guard self.fields[.contentEncoding] == nil, let type = self.fields[.contentType].flatMap({ MediaType($0) })
        else { return false }
        return type.essence.hasPrefix("text/") || ["application/json", "application/yaml"].contains(type.essence)
            || type.essence.hasSuffix("+json") || type.essence.hasSuffix("+xml")
    }

    /// Returns the response as it is sent. A body that does not get smaller stays as it is.
    func packed(by stream: @autoclosure () -> GzipStream?) -> Response {
        guard self.coding == .gzip, let body = stream()?.compress(self.body) else { return self }
        var response = self
        response.body = body
        response.coding = .identity
        response.fields[.contentEncoding] = ContentCoding.gzip.rawValue
        if let tag = self.fields[.etag].flatMap({ EntityTag($0) }) {
            response.fields[.etag] = tag.packed(by: .gzip).description
        }
        return response
    }
}

extension Fields {
    /// Adds a field of the request to `Vary`, unless it is there already.
    package mutating func vary(on name: FieldName) {
        let names: [String] = self.all(.vary).flatMap { value in
            value.split(separator: ",").map { word in String(word.drop { $0 == " " }) }
        }
        guard !names.contains(where: { $0.lowercased() == name.rawValue }) else { return }
        self[.vary] = (names + [name.rawValue]).joined(separator: ", ")
    }
}
