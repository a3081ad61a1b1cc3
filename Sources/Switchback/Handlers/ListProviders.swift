/// `GET /v1/providers`: what an app needs to draw its buttons. The same for everybody until the next start.
import Brokers
import HTTPServer
import HTTPWire
import JOSE

struct ListProviders: Sendable {
    private let file: StaticFile

    init(_ providers: [Provider]) {
        let list: JSON = ["providers": .array(providers.map { .object(Self.object($0)) })]
        self.file = StaticFile(
            bytes: list.encoded(), contentType: "application/json", cacheControl: "public, max-age=300")
    }

    func response(to request: Request) -> Response { self.file.response(to: request) }

    private static func object(_ provider: Provider) -> JSON.Object {
        let names = provider.names.sorted { $0.key < $1.key }
        return [
            "id": .string(provider.id), "kind": "oidc",
            "name": .string(provider.names["en"] ?? names.first?.value ?? provider.id),
            "names": .object(JSON.Object(names.map { ($0.key, .string($0.value)) })),
            "countries": .array(provider.countries.map { .string($0) }),
        ]
    }
}
