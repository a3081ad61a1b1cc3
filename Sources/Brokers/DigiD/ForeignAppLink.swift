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
    init(_ link: String, of settings: DigiDSettings, state: String) throws(ForeignAppLinkError) {
        if let problem = Self.problem(link, of: settings, state: state) { throw problem }
        let object = Self.object(in: link, of: settings)
        guard let id = object?["SAMLRequest"]?.string.flatMap(SAMLRequestID.read) else {
            throw .request
        }
        self.text = link
        self.requestID = id
    }

    private static func object(in link: String, of settings: DigiDSettings) -> JSON.Object? {
        let mark = "?\(AppToAppText.name)="
        return AppToAppText.object(self.unescaped(link.dropFirst(settings.appLink.count + mark.count)))
    }

    private static func problem(_ link: String, of settings: DigiDSettings, state: String) -> ForeignAppLinkError? {
        // The link becomes JSON and text on a page, so it must not contain characters that end either.
        guard link.utf8.count <= self.limit, link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return .text }
        let mark = "?\(AppToAppText.name)="
        guard link.utf8.starts(with: (settings.appLink + mark).utf8) else { return .elsewhere }
        guard let object = self.object(in: link, of: settings) else { return .appApp }
        // The response goes to this URL, so it must be ours.
        guard let back = object["ReturnUrl"]?.string, identical(back, settings.returnURL) else { return .returnURL }
        do throws(AppToAppError) {
            // A host other than DigiD's own is for tests.
            if settings.testHost == nil, try object.appText("Host") != nil { return .host }
            guard let relayState = try object.appText("RelayState") else { return nil }
            return identical(relayState, state) ? nil : .relayState
        } catch {
            return .appApp
        }
    }

    /// Some resolvers escape the three characters of base64 that have a meaning in forms.
    private static func unescaped(_ text: Substring) -> String {
        [("%2B", "+"), ("%2b", "+"), ("%2F", "/"), ("%2f", "/"), ("%3D", "="), ("%3d", "=")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}

/// Why a link that the resolver made is refused. The raw value is logged.
package enum ForeignAppLinkError: String, Error, CaseIterable, Sendable, CustomStringConvertible {
    /// It has characters that end JSON or the text of a page, or it is too long.
    case text
    /// It leads to an app that is not listed.
    case elsewhere
    /// It has no `app-app` that we can read.
    case appApp = "app_app"
    /// The response would not come to us.
    case returnURL = "return_url"
    /// It names another host of DigiD's.
    case host
    case relayState = "relay_state"
    /// Its `SAMLRequest` has no id that we can read.
    case request
    /// The resolver does not say which request the answer of the app will name.
    case requestID = "request_id"

    package var description: String {
        switch self {
        case .elsewhere:
            "the resolver's link leads to an app that is not listed: see brokers.*.app_link and brokers.*.app_links"
        case .text, .appApp, .returnURL, .host, .relayState, .request, .requestID:
            "the resolver's link is refused (\(self.rawValue)): see what its script makes"
        }
    }
}
