/// Who logged in, in one shape for every broker.

/// For the app to greet somebody with. Whom to believe is your API's business, and it reads the assertion. It prints as the
/// e-ID and its level, so that nobody's name ends in a log.
public struct Identity: Hashable, Sendable {
    /// The broker's name for this person.
    public let subject: String
    /// The provider of the login.
    public let provider: String
    /// The e-ID's name; several providers may lead to one.
    public let eid: String
    /// ISO 3166-1.
    public let country: String?
    /// How sure one can be of who it is.
    public let assurance: Assurance
    /// The level of assurance in the broker's words.
    public let acr: String?
    /// RFC 3339, UTC.
    public let authenticatedAt: String?
    /// The whole name.
    public let name: String?
    /// The given name.
    public let givenName: String?
    /// The family name.
    public let familyName: String?
    /// `1979-11-03`.
    public let birthDate: String?
    /// Only when it is configured.
    public let nationalID: NationalID?
    /// Those of the broker's claims that are configured.
    public let claims: [String: JSONValue]

    init?(_ json: JSONValue?) {
        guard let json, let subject = json["subject"]?.string else { return nil }
        self.subject = subject
        self.provider = json["provider"]?.string ?? ""
        self.eid = json["eid"]?.string ?? ""
        self.country = json["country"]?.string
        // A level that is not known here is no level.
        self.assurance = json["assurance"]?.string.flatMap(Assurance.init(rawValue:)) ?? .none
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
    /// Nothing personal.
    public var description: String { "\(self.eid), \(self.assurance)" }

    /// Nothing personal.
    public var customMirror: Mirror { Mirror(self, children: ["eid": self.eid, "assurance": self.assurance]) }
}

/// How sure one can be of who it is (eIDAS, NSIS).
public enum Assurance: String, CaseIterable, Sendable {
    /// Nobody says.
    case none
    /// Low.
    case low
    /// Substantial.
    case substantial
    /// High.
    case high
}

/// A number that a state has given to a person.
public struct NationalID: Hashable, Sendable {
    /// Which one it is, as configured: `dk:cpr`, say.
    public let type: String
    /// The number.
    public let value: Secret

    init?(_ json: JSONValue?) {
        guard let type = json?["type"]?.string, let value = json?["value"]?.string else { return nil }
        self.type = type
        self.value = Secret(value)
    }
}
