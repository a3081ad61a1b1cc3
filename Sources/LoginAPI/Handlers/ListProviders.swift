import Brokers
import HTTPServer
import HTTPWire
import StrictJSON

/// `GET /v1/providers`: what an app needs to draw its login buttons. It changes only with the configuration.
final class ListProviders: RespondingHandler {
    /// By app id.
    private let files: [String: StaticFile]
    /// For requests that name no app: the providers of the default app, as in a create. Without a default app, those
    /// that at least one app has.
    private let usual: StaticFile

    convenience init(_ services: PublicServices) {
        let settings = services.settings
        self.init(
            settings.providers, settings.apps, defaultApp: settings.defaultApp, publicURL: settings.publicURL,
            notices: services.pages.notices(of:))
    }

    /// `publicURL` is the base of the server's own files. `notices` returns what users of a provider that is switched off
    /// are told, by language.
    init(
        _ providers: [Provider], _ apps: [String: AppProfile], defaultApp: String?, publicURL: String,
        notices: (String) -> [String: String] = { _ in [:] }
    ) {
        func isOf(_ app: AppProfile, _ provider: Provider) -> Bool { app.providers?.contains(provider.id) ?? true }
        let files = apps.mapValues { app in Self.file(providers.filter { isOf(app, $0) }, publicURL, notices) }
        let ofAnyApp = providers.filter { provider in apps.values.contains { isOf($0, provider) } }
        self.files = files
        self.usual = defaultApp.flatMap { files[$0] } ?? Self.file(ofAnyApp, publicURL, notices)
    }

    private static func file(
        _ providers: [Provider], _ publicURL: String, _ notices: (String) -> [String: String]
    ) -> StaticFile {
        StaticFile(json: Self.json(providers, publicURL: publicURL, notices: notices))
    }

    static func json(
        _ providers: [Provider], publicURL: String = "", notices: (String) -> [String: String] = { _ in [:] }
    ) -> JSON {
        [
            "providers": .array(
                providers.map { .object(Self.object($0, publicURL, $0.isEnabled ? [:] : notices($0.id))) })
        ]
    }

    nonisolated(nonsending) func respond(
        to context: RequestContext, _: String
    ) async throws(Problem) -> Response {
        try self.response(to: context.request)
    }

    /// Returns the providers of the app in `?app=`. Ignores other parameters.
    func response(to request: Request) throws(Problem) -> Response {
        let query = FormBody.read(request.target.query ?? "", keeping: ["app"])
        let parameters = query.filter { $0.name == "app" }
        guard let app = parameters.first else { return self.usual.response(to: request) }
        guard parameters.count == 1, let file = self.files[app.value] else { throw Problem(.unknownApp, member: "app") }
        return file.response(to: request)
    }

    private static func object(
        _ provider: Provider, _ publicURL: String, _ notices: [String: String]
    ) -> JSON.Object {
        let names = provider.names.sorted { $0.key < $1.key }
        return [
            "id": .string(provider.id), "kind": "oidc",
            "name": .string(provider.names["en"] ?? names.first?.value ?? provider.id),
            "names": .object(JSON.Object(names.map { ($0.key, .string($0.value)) })),
            "enabled": .bool(provider.isEnabled),
            "notices": .object(
                JSON.Object(notices.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            "countries": .array(provider.countries.map { .string($0) }),
            "logo": Self.text(provider.logo.map { Self.logoURL($0, publicURL) }),
            "platforms": .array(provider.platforms.map { .string($0.rawValue) }),
            "web_os": provider.webSystems.map { .array($0.map { .string($0.rawValue) }) } ?? .null,
            "surfaces": .array(provider.opensApp ? [] : provider.surfaces.map { .string($0.rawValue) }),
            "eid": .string(provider.eid ?? provider.id),
            "eid_app": .object(Self.object(provider.eidApp, provider.download)),
        ]
    }

    /// Returns the URL of a file of this server, unless the logo is a URL already.
    private static func logoURL(_ logo: String, _ publicURL: String) -> String {
        logo.hasPrefix("https://") ? logo : publicURL + PathPattern.asset.path(logo)
    }

    private static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    private static func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }

    /// Adds what an app must declare before it may look for the e-ID's app: lines of its manifest, and schemes of its
    /// `Info.plist`.
    private static func object(_ app: EIDApp, _ download: EIDAppDownload) -> JSON.Object {
        let schemes = app.iosProbeLinks.map { String($0.prefix { $0 != ":" }) }.filter { $0 != "https" }
        return [
            "android_packages": Self.texts(app.androidPackages),
            "android_queries": Self.texts(app.androidPackages.map { "<package android:name=\"\($0)\" />" }),
            "ios_probe_links": Self.texts(app.iosProbeLinks), "ios_query_schemes": Self.texts(schemes),
            "ios_store_url": Self.text(download.ios), "android_store_url": Self.text(download.android),
        ]
    }
}
