/// `GET /v1/providers`: what an app needs to draw its buttons. The same for everybody until the next configuration.
import Brokers
import HTTPServer
import HTTPWire
import JOSE

struct ListProviders: Sendable {
    /// By app.
    private let files: [String: StaticFile]
    /// What at least one app has.
    private let all: StaticFile

    init(_ providers: [Provider], _ apps: [String: AppSurface]) {
        self.files = apps.mapValues { app in Self.file(providers.filter { app.providers?.contains($0.id) ?? true }) }
        self.all = Self.file(
            providers.filter { provider in apps.values.contains { $0.providers?.contains(provider.id) ?? true } })
    }

    private static func file(_ providers: [Provider]) -> StaticFile {
        StaticFile(
            bytes: Self.json(providers).encoded(), contentType: "application/json", cacheControl: "public, max-age=300")
    }

    static func json(_ providers: [Provider]) -> JSON {
        ["providers": .array(providers.map { .object(Self.object($0)) })]
    }

    /// With `?app=`, those of that app. Other parameters mean nothing here.
    func response(to request: Request) throws(Problem) -> Response {
        let named = ((try? FormBody.parse(request.target.query ?? "")) ?? []).filter { $0.name == "app" }
        guard let app = named.first else { return self.all.response(to: request) }
        guard named.count == 1, let file = self.files[app.value] else { throw Problem(.unknownApp, member: "app") }
        return file.response(to: request)
    }

    private static func object(_ provider: Provider) -> JSON.Object {
        let names = provider.names.sorted { $0.key < $1.key }
        return [
            "id": .string(provider.id), "kind": "oidc",
            "name": .string(provider.names["en"] ?? names.first?.value ?? provider.id),
            "names": .object(JSON.Object(names.map { ($0.key, .string($0.value)) })),
            "countries": .array(provider.countries.map { .string($0) }),
            "eid": .string(provider.eid ?? provider.id), "eid_app": .object(Self.object(provider.eidApp)),
        ]
    }

    /// With what an app has to write down before it may ask: lines for its manifest, and schemes for its `Info.plist`.
    private static func object(_ app: EIDApp) -> JSON.Object {
        let schemes = app.iosProbeLinks.map { String($0.prefix { $0 != ":" }) }.filter { $0 != "https" }
        func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
        return [
            "android_packages": texts(app.androidPackages),
            "android_queries": texts(app.androidPackages.map { "<package android:name=\"\($0)\" />" }),
            "ios_probe_links": texts(app.iosProbeLinks), "ios_query_schemes": texts(schemes),
        ]
    }
}
