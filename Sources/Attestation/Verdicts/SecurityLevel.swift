/// Where an Android key is kept, or who made a statement about it, by the numbers of the SecurityLevel type.
package enum SecurityLevel: Int, CaseIterable, Comparable, Sendable {
    case software = 0
    case trustedEnvironment = 1
    case strongBox = 2

    /// The word in logs.
    package var word: String {
        switch self {
        case .software: "software"
        case .trustedEnvironment: "tee"
        case .strongBox: "strongbox"
        }
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
