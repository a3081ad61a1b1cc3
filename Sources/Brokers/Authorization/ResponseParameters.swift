import Base
import OpenIDConnect

/// Reads the parameters of an authorization response that is not validated yet.
package enum ResponseParameters {
    /// The names of the parameters that decide something. Who reads a query or a form must not lose one of them: a
    /// second one makes a response invalid (RFC 6749 §3.1), and so does one that cannot be decoded.
    package static let names = AuthorizationResponse.decisive.union([
        Self.resumeURI, Self.appToApp, Self.artifact,
    ])
    /// Vipps: where the browser continues.
    package static let resumeURI = "resume_uri"
    /// DigiD: what its app returns, as JSON in base64.
    static let appToApp = "app-app"
    /// OneWelcome: what a third party's app returns. If an operator names another parameter, `Broker.responseNames` has
    /// that one too.
    static let artifact = "artefactId"

    /// Returns the value of the one parameter with this name. A repeated one proves nothing, even if both are the same.
    static func onlyValue(of name: String, in parameters: [Parameter]) throws(StateError) -> String {
        let matches = parameters.filter { $0.name == name }
        guard let parameter = matches.first else { throw .missing }
        guard matches.count == 1 else { throw .repeated }
        guard !parameter.isUnreadable else { throw .unreadable }
        return parameter.value
    }
}

/// Why a response names no authorization attempt.
package enum StateError: String, Error, CaseIterable, Sendable {
    case missing
    case repeated
    /// It cannot be decoded, or what contains it has another form.
    case unreadable
}
