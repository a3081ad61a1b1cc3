import StrictJSON

/// The `aud` of a JWT: one name or a list (RFC 7519 §4.1.3).
enum Audience {
    /// Returns whether it names one of `us`.
    static func names(_ claim: JSON?, one us: [String]) -> Bool {
        switch claim {
        case .string(let name)?: us.contains(name)
        case .array(let names)?: names.contains { $0.string.map(us.contains) ?? false }
        case .null?, .bool?, .integer?, .number?, .decimal?, .object?, nil: false
        }
    }
}
