/// Names one state of a resource (RFC 9110 §8.8.3): `"abc"`, or `W/"abc"`.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    package let isWeak: Bool
    /// What stands between the quotes.
    package let opaque: String

    /// The same, byte for byte.
    package init(strong opaque: String) {
        self.isWeak = false
        self.opaque = opaque
    }

    /// The same for whoever uses it, but perhaps not byte for byte.
    package init(weak opaque: String) {
        self.isWeak = true
        self.opaque = opaque
    }

    /// Nil when it is none.
    package init?(_ text: String) {
        var scanner = FieldScanner(text)
        guard let tag = EntityTag(&scanner), scanner.isAtEnd else { return nil }
        self = tag
    }

    /// RFC 9110 §8.8.3.2: as If-Match compares.
    package func matchesStrongly(_ other: EntityTag) -> Bool {
        !self.isWeak && !other.isWeak && self.opaque == other.opaque
    }

    /// As a field has it.
    package var description: String { self.isWeak ? "W/\"\(self.opaque)\"" : "\"\(self.opaque)\"" }

    /// Of the same state, packed: other bytes, so another tag, unless it promises no bytes (RFC 9110 §8.8.3.3).
    package func packed(by coding: ContentCoding) -> EntityTag {
        self.isWeak || coding == .identity ? self : EntityTag(strong: "\(self.opaque)-\(coding.rawValue)")
    }

    /// RFC 9110 §8.8.3.2: as If-None-Match compares.
    package func matchesWeakly(_ other: EntityTag) -> Bool { self.opaque == other.opaque }

    /// No backslash escapes anything here, other than in a quoted string.
    fileprivate init?(_ scanner: inout FieldScanner) {
        self.isWeak = scanner.take(UInt8(ascii: "W"))
        if self.isWeak { guard scanner.take(.slash) else { return nil } }
        guard scanner.take(.quote) else { return nil }
        self.opaque = scanner.text { $0 > .space && $0 != .quote && $0 != .delete }
        guard scanner.take(.quote) else { return nil }
    }
}

extension EntityTag {
    /// What If-Match and If-None-Match list (RFC 9110 §13.1).
    package enum List: Equatable, Sendable {
        case any
        case tags([EntityTag])

        /// Nil when there is no such field, or one that is malformed, which counts as none.
        package init?(_ values: [String]) {
            guard !values.isEmpty else { return nil }
            if values == ["*"] {
                self = .any
                return
            }
            guard let tags = FieldScanner.list(values, { EntityTag(&$0) }), !tags.isEmpty else { return nil }
            self = .tags(tags)
        }

        /// True when the client has this state already. Weak or strong does not matter.
        package func matches(_ tag: EntityTag) -> Bool {
            switch self {
            case .any: true
            case .tags(let tags): tags.contains { $0.matchesWeakly(tag) }
            }
        }

        /// True when the client has this state byte for byte.
        package func matchesStrongly(_ tag: EntityTag) -> Bool {
            switch self {
            case .any: true
            case .tags(let tags): tags.contains { $0.matchesStrongly(tag) }
            }
        }
    }
}
