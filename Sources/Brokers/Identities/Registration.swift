import OpenIDConnect
import StrictJSON

/// What an app needs to continue at the broker's resolver: an access token, and what the provider's claims name.
///
/// It has these members and no other. Whatever else a resolver sends, such as a number of the user, stays here.
package struct Registration: Equatable, Sendable {
    package let accessToken: String?
    package let tokenType: String?
    /// Seconds, counted from the resolver's response.
    package let expiresIn: Int?
    package let scope: String?
    /// Those of the resolver's own members that the provider is configured to pass on.
    package let data: JSON.Object

    /// Reads the tokens as the resolver sent them (RFC 6749 §5.1). A member of another type is left out, and so is an
    /// empty text. Nil if nothing is left.
    package init?(tokens: JSON.Object, data: JSON.Object) {
        func text(_ name: String) -> String? { tokens[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        self.accessToken = text("access_token")
        self.tokenType = text("token_type")
        self.expiresIn = tokens["expires_in"]?.integer.flatMap { $0 < 0 ? nil : $0 }
        self.scope = text("scope")
        self.data = data
        if self.json.isEmpty { return nil }
    }

    /// As apps see it.
    package var json: JSON.Object {
        var object = self.tokens
        if !self.data.isEmpty { object["data"] = .object(self.data) }
        return object
    }

    /// The members beside `data`.
    var tokens: JSON.Object {
        var object = JSON.Object()
        object["access_token"] = self.accessToken.map { .string($0) }
        object["token_type"] = self.tokenType.map { .string($0) }
        object["expires_in"] = self.expiresIn.map { .integer($0) }
        object["scope"] = self.scope.map { .string($0) }
        return object
    }
}

extension Registration: RedactedDescription {}
