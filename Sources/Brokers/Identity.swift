/// Who logged in, in one shape for every broker.
import JOSE

package struct Identity: Equatable, Sendable {
    /// The broker's `sub`.
    package let subject: String
    package let provider: String
    package let acr: String?
    /// The `auth_time` of the ID token.
    package let authenticatedAt: Timestamp?
    package let name: String?
    /// The broker's own claims, those that the provider is configured to hand on.
    package let claims: JSON.Object

    package init(
        subject: String, provider: String, acr: String?, authenticatedAt: Timestamp?, name: String?, claims: JSON.Object
    ) {
        self.subject = subject
        self.provider = provider
        self.acr = acr
        self.authenticatedAt = authenticatedAt
        self.name = name
        self.claims = claims
    }
}

// MARK: - As it is sealed

extension Identity {
    /// The bytes that are sealed into a login's outcome.
    package func encoded() -> [UInt8] {
        var object: JSON.Object = ["subject": .string(self.subject), "provider": .string(self.provider)]
        if let acr = self.acr { object["acr"] = .string(acr) }
        if let time = self.authenticatedAt { object["authenticated_at"] = .integer(time.seconds) }
        if let name = self.name { object["name"] = .string(name) }
        object["claims"] = .object(self.claims)
        return JSON.object(object).encoded()
    }

    /// Nil when the bytes are not what `encoded` made.
    package init?(encoded bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let subject = json["subject"]?.string,
            let provider = json["provider"]?.string, let claims = json["claims"]?.object
        else { return nil }
        self.init(
            subject: subject, provider: provider, acr: json["acr"]?.string,
            authenticatedAt: json["authenticated_at"]?.integer.map { Timestamp(seconds: $0) },
            name: json["name"]?.string, claims: claims)
    }
}
