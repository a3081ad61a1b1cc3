/// Names one state of a resource (RFC 9110 §8.8.3): `"abc"`, or `W/"abc"`.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    package let isWeak: Bool
    /// The text between the quotes.
    package let opaque: String

    /// Two states with this tag are the same, byte for byte.
    package init(strong opaque: String) {
        self.isWeak = false
        self.opaque = opaque
    }

    /// Two states with this tag have the same meaning, but perhaps not the same bytes.
    package init(weak opaque: String) {
        self.isWeak = true
        self.opaque = opaque
    }

    /// Returns nil if the text is not an entity tag.
    package init?(_ text: String) {
        var scanner = FieldScanner(text)
        guard let tag = EntityTag(&scanner), scanner.isAtEnd else { return nil }
        self = tag
    }

    /// Compares as If-Match does (RFC 9110 §8.8.3.2).
    package func matchesStrongly(_ other: EntityTag) -> Bool {
        !self.isWeak && !other.isWeak && self.opaque == other.opaque
    }

    /// The tag as written in a field.
    package var description: String { self.isWeak ? "W/\"\(self.opaque)\"" : "\"\(self.opaque)\"" }

    /// Returns the tag of the compressed state. Other bytes need another tag, unless it is weak (RFC 9110 §8.8.3.3).
    package func packed(by coding: ContentCoding) -> EntityTag {
        self.isWeak || coding == .identity ? self : EntityTag(strong: "\(self.opaque)-\(coding.rawValue)")
    }

    /// The text without what a proxy appends when it compresses: `3-gzip` (Apache, Caddy), `3--gzip` (Jetty), `3;gzip`
    /// and the like. Other bytes need another strong tag (RFC 9110 §8.8.3.3), but not every proxy takes it off again.
    package var opaqueWithoutCoding: Substring {
        let letters = self.opaque.utf8.reversed().prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        let rest = self.opaque.utf8.dropLast(letters.count)
        guard !letters.isEmpty, let mark = rest.last, "-;.".utf8.contains(mark) else { return self.opaque[...] }
        let start = rest.dropLast()
        return Substring(mark == UInt8(ascii: "-") && start.last == mark ? start.dropLast() : start)
    }

    /// Compares as If-None-Match does (RFC 9110 §8.8.3.2).
    package func matchesWeakly(_ other: EntityTag) -> Bool { self.opaque == other.opaque }

    /// Unlike in a quoted string, a backslash is not an escape here.
    fileprivate init?(_ scanner: inout FieldScanner) {
        self.isWeak = scanner.take(UInt8(ascii: "W"))
        if self.isWeak { guard scanner.take(.slash) else { return nil } }
        guard scanner.take(.quote) else { return nil }
        self.opaque = scanner.readText { $0 > .space && $0 != .quote && $0 != .delete }
        guard scanner.take(.quote) else { return nil }
    }
}

extension EntityTag {
    /// The tags in If-Match or If-None-Match (RFC 9110 §13.1).
    package enum List: Equatable, Sendable {
        case any
        case tags([EntityTag])

        /// Returns nil if there is no such field, or a malformed one, which counts as absent.
        package init?(_ values: [String]) {
            guard !values.isEmpty else { return nil }
            if values == ["*"] {
                self = .any
                return
            }
            guard let tags = FieldScanner.list(values, { EntityTag(&$0) }), !tags.isEmpty else { return nil }
            self = .tags(tags)
        }

        /// Whether the client already has this state. It may be weak or strong.
        package func matches(_ tag: EntityTag) -> Bool {
            switch self {
            case .any: true
            case .tags(let tags): tags.contains { $0.matchesWeakly(tag) }
            }
        }

        /// Whether the client already has this state, which a proxy may have compressed.
        package func matchesAnyCoding(of tag: EntityTag) -> Bool {
            switch self {
            case .any: true
            case .tags(let tags): tags.contains { $0.opaque == tag.opaque || $0.opaqueWithoutCoding == tag.opaque }
            }
        }

        /// Whether the client has this state byte for byte.
        package func matchesStrongly(_ tag: EntityTag) -> Bool {
            switch self {
            case .any: true
            case .tags(let tags): tags.contains { $0.matchesStrongly(tag) }
            }
        }
    }
}
