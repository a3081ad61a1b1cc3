import Foundation

/// A provider of the app: what it needs to draw one login button.
public struct EIDProvider: Hashable, Identifiable, Sendable {
    /// What `NewLogin.provider` is.
    public let id: String
    /// The name for the button, in the first of the user's languages that it has.
    public let name: String
    /// Whether a login may begin with it now. If not, disable its button, and show `notice`.
    public let isEnabled: Bool
    /// What to tell the user while it is switched off, in the first of the user's languages that there is, otherwise in
    /// English or any. Nil if the server says nothing.
    public let notice: String?
    /// A picture for the button, from the operator of the server; nil if there is none.
    public let logo: URL?
    /// Where the e-ID comes from: two letters each (ISO 3166-1).
    public let countries: [String]
    /// The e-ID's name, as in `Identity.eid`.
    public let eid: String
    /// What the app may open its links in, the best first; empty if it opens only the e-ID's own app.
    public let surfaces: [Surface]
    /// Links that `canOpenURL` asks about, to see whether the e-ID's app is installed. Empty if nobody can tell.
    public let probeLinks: [String]
    /// The schemes of these links. `LSApplicationQueriesSchemes` in the app's `Info.plist` must have them.
    public let querySchemes: [String]
    /// The App Store's page of the e-ID's app.
    public let storeURL: URL?
    /// Whether the e-ID's app is on this phone; nil if unknown. The list of the server does not say it: `SwitchbackUI`
    /// looks, or your app does.
    public var isEIDAppInstalled: Bool?

    init?(_ json: JSONValue, languages: [String]) {
        guard let id = json["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        let names = (json["names"]?.object ?? [:]).compactMapValues(\.string)
        self.name = Self.text(in: languages, of: names) ?? json["name"]?.string ?? id
        // An older server sends neither.
        self.isEnabled = json["enabled"]?.bool ?? true
        let notices = (json["notices"]?.object ?? [:]).compactMapValues(\.string)
        self.notice = Self.text(in: languages + ["en"], of: notices) ?? notices.min { $0.key < $1.key }?.value
        self.logo = json["logo"]?.string.flatMap(URL.init(string:))
        self.countries = json["countries"]?.strings ?? []
        self.eid = json["eid"]?.string ?? ""
        self.surfaces = (json["surfaces"]?.strings ?? []).compactMap { Surface($0) }
        self.probeLinks = json["eid_app"]?["ios_probe_links"]?.strings ?? []
        self.querySchemes = json["eid_app"]?["ios_query_schemes"]?.strings ?? []
        self.storeURL = json["eid_app"]?["ios_store_url"]?.string.flatMap(URL.init(string:))
    }

    /// Reads the body of a response; nil when it is not from Switchback.
    static func list(_ body: Data, languages: [String]) -> [EIDProvider]? {
        guard let json = try? JSONDecoder().decode(JSONValue.self, from: body), let list = json["providers"]?.array
        else { return nil }
        return list.compactMap { EIDProvider($0, languages: languages) }
    }

    /// Looks for each language with all its subtags, then without the last one, and so on (RFC 4647 §3.4).
    private static func text(in languages: [String], of texts: [String: String]) -> String? {
        let texts = Dictionary(texts.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        for language in languages {
            var subtags = language.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
            // A phone may still say `no` for Norwegian.
            if subtags.first == "no" { subtags[0] = "nb" }
            while !subtags.isEmpty {
                if let text = texts[subtags.joined(separator: "-")] { return text }
                subtags.removeLast()
            }
        }
        return nil
    }
}

/// Why the providers could not be read. Decide by `kind`.
public struct ProvidersError: Error, Hashable, Sendable {
    /// What happened. Treat one that you do not know as `noResponse`.
    public struct Kind: Coded {
        /// Such as `no_response`.
        public let code: String

        /// There is no usable response (`transientError`). Try again.
        public static let noResponse = Kind(code: "no_response")
        /// The server refuses the request (`problem`). Correct the app, or the server's configuration.
        public static let refused = Kind(code: "refused")
    }

    /// The error without its details.
    public let kind: Kind
    /// Why there is no response; nil if the server refuses.
    public let transientError: TransientError?
    /// What the server says; nil if there is no response.
    public let problem: Problem?

    static func noResponse(_ error: TransientError) -> ProvidersError {
        ProvidersError(kind: .noResponse, transientError: error, problem: nil)
    }

    static func refused(_ problem: Problem) -> ProvidersError {
        ProvidersError(kind: .refused, transientError: nil, problem: problem)
    }
}
