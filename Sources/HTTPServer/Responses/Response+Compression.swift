// Which answers are compressed on their way: those whose handler says so, and no others.

import HTTPWire

extension Response {
    /// Below it the saving is not worth the time.
    private static let worthwhile = 1024

    /// Lets the connection compress the body, if the client takes that and it is worth while.
    ///
    /// Never for an answer that holds a secret: its length would tell of the secret to whoever can put text of his own
    /// beside it (the attack BREACH). So it is said for each answer that may be, not for those that may not.
    package func compressible(for request: Request) -> Response {
        guard self.status.allowsBody, self.isText else { return self }
        var response = self
        // RFC 9110 §12.5.5: said with either form, or a cache would give the one for the other.
        response.fields.vary(on: .acceptEncoding)
        let isAccepted = ContentCoding.gzip.isAccepted(in: request.fields.all(.acceptEncoding))
        if isAccepted, self.body.count >= Self.worthwhile { response.coding = .gzip }
        return response
    }

    private var isText: Bool {
        guard self.fields[.contentEncoding] == nil, let type = self.fields[.contentType].flatMap({ MediaType($0) })
        else { return false }
        return type.essence.hasPrefix("text/") || ["application/json", "application/yaml"].contains(type.essence)
            || type.essence.hasSuffix("+json") || type.essence.hasSuffix("+xml")
    }

    /// As it goes out. What does not get smaller goes as it is.
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
    /// Says that the answer depends on a field of the request, once.
    package mutating func vary(on name: FieldName) {
        let named: [String] = self.all(.vary).flatMap { value in
            value.split(separator: ",").map { word in String(word.drop { $0 == " " }) }
        }
        guard !named.contains(where: { $0.lowercased() == name.rawValue }) else { return }
        self[.vary] = (named + [name.rawValue]).joined(separator: ", ")
    }
}
