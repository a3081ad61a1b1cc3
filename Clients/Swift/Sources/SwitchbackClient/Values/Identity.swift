/// An identity says who logged in, in the same form for every broker.
///
/// Use it to greet the user. Your API decides whom to believe, and reads the assertion. It prints as the e-ID and its
/// level, so that no name ends up in a log.
public struct Identity: Hashable, Sendable {
    /// The broker's identifier for this user.
    public let subject: String
    /// The login's provider.
    public let provider: String
    /// The e-ID's name. Several providers may share an e-ID.
    public let eid: String
    /// Two letters (ISO 3166-1).
    public let country: String?
    /// How certain the identity is.
    public let assurance: Assurance
    /// The level of assurance, as the broker names it.
    public let acr: String?
    /// When the user authenticated (RFC 3339, UTC).
    public let authenticatedAt: String?
    /// The full name.
    public let name: String?
    /// The given name.
    public let givenName: String?
    /// The family name.
    public let familyName: String?
    /// As `1979-11-03`.
    public let birthDate: String?
    /// Nil unless the server is configured to return it.
    public let nationalID: NationalID?
    /// Those of the broker's claims that the server is configured to pass on.
    public let claims: [String: JSONValue]

    init?(_ json: JSONValue?) {
        guard let json, let subject = json["subject"]?.string else { return nil }
        self.subject = subject
        self.provider = json["provider"]?.string ?? ""
        self.eid = json["eid"]?.string ?? ""
        self.country = json["country"]?.string
        self.assurance = Assurance(json["assurance"]?.string)
        self.acr = json["acr"]?.string
        self.authenticatedAt = json["authenticated_at"]?.string
        self.name = json["name"]?.string
        self.givenName = json["given_name"]?.string
        self.familyName = json["family_name"]?.string
        self.birthDate = json["birth_date"]?.string
        self.nationalID = NationalID(json["national_id"])
        self.claims = json["claims"]?.object ?? [:]
    }
}

extension Identity: CustomStringConvertible, CustomReflectable {
    /// The e-ID and its level: nothing personal.
    public var description: String { "\(self.eid), \(self.assurance)" }

    /// The e-ID and its level: nothing personal.
    public var customMirror: Mirror { Mirror(self, children: ["eid": self.eid, "assurance": self.assurance]) }
}

/// How certain an identity is (eIDAS, NSIS). Do not trust a level that you do not know.
public struct Assurance: Coded {
    /// As in the API, such as `substantial`.
    public let code: String

    /// The level is unknown.
    public static let none = Assurance(code: "none")
    /// Low.
    public static let low = Assurance(code: "low")
    /// Substantial.
    public static let substantial = Assurance(code: "substantial")
    /// High.
    public static let high = Assurance(code: "high")

    private init(code: String) { self.code = code }

    /// An unknown level counts as none.
    init(_ text: String?) { self = [.low, .substantial, .high].first { $0.code == text } ?? .none }
}

/// A number that a state has given to a person.
public struct NationalID: Hashable, Sendable {
    /// Which number it is, as configured, such as `dk:cpr`.
    public let type: String
    /// The number.
    public let value: Secret

    init?(_ json: JSONValue?) {
        guard let type = json?["type"]?.string, let value = json?["value"]?.string else { return nil }
        self.type = type
        self.value = Secret(value)
    }
}
