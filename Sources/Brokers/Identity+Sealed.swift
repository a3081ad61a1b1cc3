/// An identity as it is sealed into a login's outcome.
import Base
import StrictJSON

extension Identity {
    /// The bytes that are sealed into a login's outcome.
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
            ("registration", self.registration), ("person_namespace", self.person?.namespace),
            ("person", self.person?.value),
        ]
        for (name, text) in texts {
            if let text { object[name] = .string(text) }
        }
        if let time = self.authenticatedAt { object["authenticated_at"] = .integer(time.seconds) }
        return JSON.object(object).encoded()
    }

    /// Nil when the bytes are not what `encoded` made.
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
        self.init(
            issuer: issuer, subject: subject, provider: provider, eid: eid, country: json["country"]?.string,
            assurance: assurance, acr: json["acr"]?.string, methods: methods.compactMap(\.string),
            authenticatedAt: json["authenticated_at"]?.integer.map { Timestamp(seconds: $0) },
            name: json["name"]?.string, givenName: json["given_name"]?.string,
            familyName: json["family_name"]?.string, birthDate: json["birth_date"]?.string, nationalID: nationalID,
            claims: claims, registration: json["registration"]?.string, person: person)
    }
}
