import Base
import Cryptography
import StrictJSON

/// An identity says who logged in, in the same form for every broker. It uses our types, never the broker's.
package struct Identity: Equatable, Sendable {
    /// A number that a state gives to a person.
    package struct NationalID: Equatable, Sendable {
        /// Which number it is, as configured, such as `dk:cpr`.
        package let type: String
        package let value: String

        package init(type: String, value: String) {
            self.type = type
            self.value = value
        }
    }

    /// The broker's `iss`.
    package let issuer: String
    /// The broker's `sub`, or its name under a `PersonKey` if it is a national number.
    package let subject: String
    package let provider: String
    /// The e-ID, which several providers may share.
    package let eid: String
    /// ISO 3166-1, two letters.
    package let country: String?
    package let assurance: Assurance
    package let acr: String?
    /// The `amr` of the ID token (Core 2); empty when there is none.
    package let methods: [String]
    /// The `auth_time` of the ID token.
    package let authenticatedAt: Timestamp?
    package let name: String?
    package let givenName: String?
    package let familyName: String?
    /// `YYYY-MM-DD`.
    package let birthDate: String?
    package let nationalID: NationalID?
    /// Those of the broker's own claims that the provider is configured to pass on.
    package let claims: JSON.Object
    /// What the app needs to continue at the broker. Nil for brokers without a resolver.
    package let registration: Registration?
    /// Nil if the provider has no `person`. The issuer and the subject then identify the user.
    package let person: Person?

    package init(
        issuer: String, subject: String, provider: String, eid: String, country: String? = nil,
        assurance: Assurance = .none, acr: String? = nil, methods: [String] = [], authenticatedAt: Timestamp? = nil,
        name: String? = nil, givenName: String? = nil, familyName: String? = nil, birthDate: String? = nil,
        nationalID: NationalID? = nil, claims: JSON.Object = [:], registration: Registration? = nil,
        person: Person? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.provider = provider
        self.eid = eid
        self.country = country
        self.assurance = assurance
        self.acr = acr
        self.methods = methods
        self.authenticatedAt = authenticatedAt
        self.name = name
        self.givenName = givenName
        self.familyName = familyName
        self.birthDate = birthDate
        self.nationalID = nationalID
        self.claims = claims
        self.registration = registration
        self.person = person
    }

    /// The `sub` of assertions: base64url(SHA-256(namespace ‖ 0 ‖ value)), of the person if the provider has one, and
    /// otherwise of the broker's issuer and subject. Two namespaces never give the same account, because none contains
    /// a zero byte. A national number is never hashed here: `PersonKey` has named it before.
    package var account: String {
        self.person.map { Self.account($0.namespace, $0.value) } ?? self.brokerAccount
    }

    /// The value of `account` before the provider had a `person`; nil if it has none.
    package var previousAccount: String? { self.person == nil ? nil : self.brokerAccount }

    private var brokerAccount: String { Self.account(self.issuer, self.subject) }

    private static func account(_ namespace: String, _ value: String) -> String {
        Base64URL.encode(Digest.sha256.hash(Array(namespace.utf8) + [0] + Array(value.utf8)))
    }
}

/// Hides personal data.
extension Identity: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "Identity" }
    package var debugDescription: String { "Identity" }
}

extension Identity {
    /// The bytes that are encrypted into a login's outcome.
    package func encoded() -> [UInt8] {
        var object: JSON.Object = [
            "iss": .string(self.issuer), "sub": .string(self.subject), "provider": .string(self.provider),
            "eid": .string(self.eid), "assurance": .string(self.assurance.rawValue),
            "amr": .array(self.methods.map { .string($0) }), "claims": .object(self.claims),
        ]
        let texts = [
            ("country", self.country), ("acr", self.acr), ("name", self.name), ("given_name", self.givenName),
            ("family_name", self.familyName), ("birth_date", self.birthDate),
            ("national_id_type", self.nationalID?.type), ("national_id", self.nationalID?.value),
            ("person_namespace", self.person?.namespace), ("person", self.person?.value),
        ]
        for (name, text) in texts {
            if let text { object[name] = .string(text) }
        }
        object["registration"] = self.registration.map { .object($0.json) }
        if let time = self.authenticatedAt { object["authenticated_at"] = .integer(time.seconds) }
        return JSON.object(object).encoded()
    }

    /// Returns nil for bytes that `encoded` did not make.
    package init?(encoded bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let issuer = json["iss"]?.string,
            let subject = json["sub"]?.string, let provider = json["provider"]?.string, let eid = json["eid"]?.string,
            let assurance = json["assurance"]?.string.flatMap(Assurance.init(rawValue:)),
            let methods = json["amr"]?.array, let claims = json["claims"]?.object
        else { return nil }
        var nationalID: NationalID?
        if let type = json["national_id_type"]?.string, let value = json["national_id"]?.string {
            nationalID = NationalID(type: type, value: value)
        }
        var person: Person?
        if let namespace = json["person_namespace"]?.string, let value = json["person"]?.string {
            person = Person(namespace: namespace, value: value)
        }
        let registration = json["registration"]?.object.flatMap {
            Registration(tokens: $0, data: $0["data"]?.object ?? [:])
        }
        self.init(
            issuer: issuer, subject: subject, provider: provider, eid: eid, country: json["country"]?.string,
            assurance: assurance, acr: json["acr"]?.string, methods: methods.compactMap(\.string),
            authenticatedAt: json["authenticated_at"]?.integer.map { Timestamp(seconds: $0) },
            name: json["name"]?.string, givenName: json["given_name"]?.string,
            familyName: json["family_name"]?.string, birthDate: json["birth_date"]?.string, nationalID: nationalID,
            claims: claims, registration: registration, person: person)
    }
}
