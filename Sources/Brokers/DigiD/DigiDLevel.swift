/// DigiD's levels, the lowest first, with their SAML names.
package enum DigiDLevel: String, CaseIterable, Comparable, Sendable {
    case basis
    case midden
    case substantieel
    case hoog

    /// Finds a level by its name, in any case, or by its class.
    init?(named text: String) {
        let word = text.lowercased()
        guard let level = Self.allCases.first(where: { $0.rawValue == word || $0.contextClass == text }) else {
            return nil
        }
        self = level
    }

    /// The `AuthnContextClassRef` (SAML Authentication Context, 3.4).
    var contextClass: String {
        let name =
            switch self {
            case .basis: "PasswordProtectedTransport"
            case .midden: "MobileTwoFactorContract"
            case .substantieel: "Smartcard"
            case .hoog: "SmartcardPKI"
            }
        return "urn:oasis:names:tc:SAML:2.0:ac:classes:\(name)"
    }

    /// Midden has two factors, but eIDAS still counts it as low.
    var assurance: Assurance {
        switch self {
        case .basis, .midden: .low
        case .substantieel: .substantial
        case .hoog: .high
        }
    }

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
