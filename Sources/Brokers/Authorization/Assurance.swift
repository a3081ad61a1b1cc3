/// How certain an identity is, in the terms of eIDAS (Regulation 910/2014, Article 8) and NSIS.
package enum Assurance: String, CaseIterable, Comparable, Sendable {
    /// The level is unknown.
    case none
    case low
    case substantial
    case high

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .none: 0
        case .low: 1
        case .substantial: 2
        case .high: 3
        }
    }

    /// Reads the level that an `acr` ends with, after the last `:` or `/`, as in
    /// `http://eidas.europa.eu/LoA/substantial` or `urn:grn:authn:dk:mitid:high`; nil if it names none.
    init?(contextClass: String) {
        let word = contextClass.split { $0 == ":" || $0 == "/" }.last ?? ""
        guard let level = Self(rawValue: word.lowercased()), level != .none else { return nil }
        self = level
    }
}
