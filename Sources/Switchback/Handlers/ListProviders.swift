/// `GET /v1/providers`: what an app needs to draw its buttons. The same for everybody until the next start.
import Brokers
import HTTPServer
import HTTPWire
import JOSE

struct ListProviders: Sendable {
    private let file: StaticFile

    init(_ providers: [Provider]) {
        self.file = StaticFile(
            bytes: Self.json(providers).encoded(), contentType: "application/json", cacheControl: "public, max-age=300")
    }

    static func json(_ providers: [Provider]) -> JSON {
        ["providers": .array(providers.map { .object(Self.object($0)) })]
    }

    func response(to request: Request) -> Response { self.file.response(to: request) }

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
