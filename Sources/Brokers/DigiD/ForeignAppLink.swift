import Base
import StrictJSON

/// A link to DigiD's app that the resolver made. It is used only if it leads there and back to us, and if we can read
/// which request is in it: the response must name that one.
struct ForeignAppLink: Equatable, Sendable {
    /// In bytes. Long keys make long links.
    private static let limit = 8192

    let text: String
    /// The `ID` of the SAML request.
    let requestID: String

    /// Throws why the link is refused, in our words.
    init(_ link: String, of settings: DigiDSettings, state: String) throws(BrokerError) {
        if let problem = Self.problem(link, of: settings, state: state) {
            throw BrokerError(.unavailable, .appLink(problem))
        }
        let object = Self.object(in: link, of: settings)
        guard let id = object?["SAMLRequest"]?.string.flatMap(SAMLRequestID.read) else {
            throw BrokerError(.unavailable, .appLink(.request))
        }
        self.text = link
        self.requestID = id
    }

    private static func object(in link: String, of settings: DigiDSettings) -> JSON.Object? {
        let mark = "?\(AppToAppText.name)="
        return AppToAppText.object(self.unescaped(link.dropFirst(settings.appLink.count + mark.count)))
    }

    private static func problem(_ link: String, of settings: DigiDSettings, state: String) -> BrokerError.LinkProblem? {
        // The link becomes JSON and text on a page, so it must not contain characters that end either.
        guard link.utf8.count <= self.limit, link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return .text }
        let mark = "?\(AppToAppText.name)="
        guard link.utf8.starts(with: (settings.appLink + mark).utf8) else { return .elsewhere }
        guard let object = self.object(in: link, of: settings) else { return .appApp }
        // The response goes to this URL, so it must be ours.
        guard let back = object["ReturnUrl"]?.string, identical(back, settings.returnURL) else { return .returnURL }
        // A host other than DigiD's own is for tests.
        if settings.testHost == nil {
            guard let texts = object.appTexts(["Host"]) else { return .appApp }
            guard texts.isEmpty else { return .host }
        }
        guard let texts = object.appTexts(["RelayState"]) else { return .appApp }
        return texts.values.allSatisfy { identical($0, state) } ? nil : .relayState
    }

    /// Some resolvers escape the three characters of base64 that have a meaning in forms.
    private static func unescaped(_ text: Substring) -> String {
        [("%2B", "+"), ("%2b", "+"), ("%2F", "/"), ("%2f", "/"), ("%3D", "="), ("%3d", "=")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
