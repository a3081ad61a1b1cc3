/// What an app opens links in.
public struct Surface: Coded, CaseIterable {
    /// As in the API, such as `auth_session`.
    public let code: String

    /// `ASWebAuthenticationSession`, or an Auth Tab.
    public static let authSession = Surface(code: "auth_session")
    /// `SFSafariViewController`, or a Custom Tab.
    public static let tab = Surface(code: "tab")
    /// The system's browser.
    public static let system = Surface(code: "system")

    /// Those that this version knows.
    public static let allCases = [authSession, tab, system]

    private init(code: String) { self.code = code }

    /// Nil for one that this version does not know.
    init?(_ code: String) {
        guard let surface = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = surface
    }
}

extension Surface: Codable {
    /// Reads the code.
    public init(from decoder: any Decoder) throws {
        self.code = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the code.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.code)
    }
}
