/// The value of `Content-Encoding` (RFC 9110 §8.4), as far as we look at it ourselves. libcurl decodes the body.
struct ContentCoding: CustomStringConvertible {
    private let names: [String]

    /// Takes the values of all fields of this name.
    init(_ values: [String]) {
        self.names = values.flatMap { $0.split(separator: ",") }.map { name in
            name.lowercased().filter { !$0.isWhitespace }
        }.filter { !$0.isEmpty && $0 != "identity" }
    }

    var isEmpty: Bool { self.names.isEmpty }

    /// The body is sent as it is.
    var isNone: Bool { self.names.isEmpty || self.isCharset }

    /// Some programs write the character set here. It says nothing about the bytes, which are not encoded.
    var isCharset: Bool { self.names == ["utf-8"] || self.names == ["utf8"] }

    /// The names of IANA's registry, and others in use. A foreign server may have written anything, so no other name
    /// comes into our log.
    private static let known: Set<String> = [
        "aes128gcm", "aws-chunked", "br", "bzip2", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "lz4", "lzma",
        "pack200-gzip", "snappy", "x-compress", "x-gzip", "xz", "zstd",
    ]

    /// The names for the log.
    var description: String {
        guard !self.names.isEmpty else { return "no content encoding" }
        return self.names.prefix(6).map { Self.known.contains($0) ? $0 : "unknown" }.joined(separator: ", ")
    }
}
