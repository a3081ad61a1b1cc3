/// What may be done with an Android key (AuthorizationList), as far as it matters here.
package struct AuthorizationList: Equatable, Sendable {
    /// Every app may use the key.
    package private(set) var isForAllApps = false
    /// Where the key comes from: 0 is generated.
    package private(set) var origin: Int?
    package private(set) var rootOfTrust: RootOfTrust?
    /// AttestationApplicationId, still encoded.
    package private(set) var application: [UInt8]?

    package static let generated = 0

    private enum Tag {
        static let allApplications: UInt32 = 600
        static let origin: UInt32 = 702
        static let rootOfTrust: UInt32 = 704
        static let application: UInt32 = 709
    }

    /// The tags of all versions, from Keymaster 2 to KeyMint 5. Tags that are not among them are refused, because they
    /// could limit the meaning of others.
    private static let known: Set<UInt32> = [
        1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 200, 203, 303, 305, 400, 401, 402, 405, 502, 503, 504, 505, 506, 507, 508, 509,
        600, 601, 701, 702, 703, 704, 705, 706, 709, 710, 711, 712, 713, 714, 715, 716, 717, 718, 719, 720, 723, 724,
    ]

    /// Reads explicitly tagged fields in the order of their tags, each at most once.
    init(_ fields: DERReader) throws(Refusal) {
        var fields = fields
        var last: UInt32 = 0
        while !fields.isAtEnd {
            do throws(DERError) {
                let (tag, content) = try fields.readAny()
                guard tag.isExplicit, tag.number > last else { throw .unexpectedTag }
                last = tag.number
                var value = DERReader(content)
                try self.read(&value, of: tag.number)
                try value.finish()
            } catch {
                throw .malformedKeyDescription
            }
            guard Self.known.contains(last) else { throw .unknownAuthorization }
        }
    }

    private mutating func read(_ value: inout DERReader, of tag: UInt32) throws(DERError) {
        switch tag {
        case Tag.allApplications:
            _ = try value.read(.null)
            self.isForAllApps = true
        case Tag.origin: self.origin = try value.readInteger()
        case Tag.rootOfTrust: self.rootOfTrust = try RootOfTrust(&value)
        case Tag.application: self.application = try value.readOctets()
        default: _ = try value.readAny()
        }
    }
}
