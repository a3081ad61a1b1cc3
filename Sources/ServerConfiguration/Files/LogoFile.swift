import Base

/// A logo as it is in its file: SVG or PNG, small enough for a phone.
package struct LogoFile: Equatable, Sendable {
    package enum Format: String, Sendable {
        case svg, png
    }

    /// In bytes. A page with everything that it loads should have at most 60 KB.
    static let limit = 32 * 1024
    /// PNG, third edition, §5.2.
    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// What never works in a picture of a page. We say so instead of showing a part of the logo.
    private static let inert = ["<script", "<foreignobject", "<!entity", "<iframe"]

    package let bytes: [UInt8]
    package let format: Format

    init(_ bytes: [UInt8]) throws(FileError) {
        guard bytes.count <= Self.limit else {
            throw FileError("has \(bytes.count) bytes, and a logo may have \(Self.limit)")
        }
        self.bytes = bytes
        guard !bytes.starts(with: Self.pngSignature) else {
            self.format = .png
            return
        }
        let text = String(validating: bytes, as: UTF8.self)?.lowercased() ?? ""
        guard text.contains("<svg"), text.contains("http://www.w3.org/2000/svg") else {
            throw FileError("is neither an SVG with its namespace nor a PNG")
        }
        if let part = Self.inert.first(where: text.contains) {
            throw FileError("contains \(part), which browsers ignore in a picture")
        }
        for quote in ["\"", "'"] {
            for link in text.ranges(of: "href=\(quote)") where !Self.isInside(text[link.upperBound...]) {
                throw FileError("refers to another file, which browsers do not load for a picture")
            }
        }
        self.format = .svg
    }

    /// Whether a reference is to a part of the file itself, or contains what it refers to.
    private static func isInside(_ reference: Substring) -> Bool {
        reference.hasPrefix("#") || reference.hasPrefix("data:")
    }
}
