/// The kind of client that reads an answer about a login.
import Brokers
import Logins

package enum Reader: Sendable {
    /// The app on a phone, or whoever has its poll secret.
    case phone
    /// The app's own backend: it has shown the app's key too.
    case backend
}

extension Identity {
    /// What a phone is told of a person whose data are for an API's eyes only, because its assertions are encrypted.
    ///
    /// What the assertion has is in nothing else. A national id, the broker's own claims and its opaque answer are never
    /// told: they may hold anything. One of the names would tell the others.
    func withheld(by terms: AssertionTerms) -> Identity {
        let claims = Set(terms.claims)
        let hasName = !claims.isDisjoint(with: [.name, .givenName, .familyName])
        return Identity(
            issuer: self.issuer, subject: self.subject, provider: self.provider, eid: self.eid,
            country: claims.contains(.country) ? nil : self.country, assurance: self.assurance, acr: self.acr,
            methods: self.methods, authenticatedAt: self.authenticatedAt, name: hasName ? nil : self.name,
            givenName: hasName ? nil : self.givenName, familyName: hasName ? nil : self.familyName,
            birthDate: claims.contains(.birthDate) ? nil : self.birthDate)
    }
}

extension LoginView {
    /// What the reader is told of the person.
    func identity(for reader: Reader) -> Identity? {
        guard let identity = self.result?.identity else { return nil }
        switch reader {
        case .backend: return identity
        case .phone:
            guard let terms = self.assertion, terms.encrypter != nil else { return identity }
            return identity.withheld(by: terms)
        }
    }
}
