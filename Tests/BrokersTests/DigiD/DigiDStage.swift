import Base
import JOSE
import OpenIDConnect
import StrictJSON
import Synchronization

@testable import Brokers

/// A DigiD broker with a resolver whose response the test sets.
final class DigiDStage: Sendable {
    static let returnURL = "https://link.example/callback/digid"
    static let resolver = "https://ow.example/oauth/custom-registration/digid"
    static let now = Timestamp(seconds: 1_772_366_400)
    static let session = "OGYzYnxlODRh"
    static let state = String(repeating: "s", count: 64)
    static let challenge = Challenge(state: DigiDStage.state, nonce: "n", codeVerifier: Secret("v"))
    /// Making a key takes a tenth of a second, so all stages share one.
    static let key = DigiDStage.made

    private static let made: PrivateKey = {
        guard let key = try? PrivateKey.generate(.rsa(bits: 2048)) else { preconditionFailure("no key") }
        return key
    }()

    static func service() throws -> DigiDService {
        DigiDService(
            entityID: "urn:nl:shop", destination: "https://was.digid.nl/saml/idp/request_authentication",
            consumer: .index(0), iconURL: "https://link.example/icon.png", key: Self.key)
    }

    static var provider: Provider {
        var provider = Provider(id: "digid", brokerID: "digid", names: ["en": "DigiD"])
        provider.countries = ["NL"]
        provider.scope = ["read", "write"]
        return provider
    }

    let broker: DigiDBroker
    let asked: Asked

    final class Asked: Sendable {
        let requests = Mutex<[ProviderRequest]>([])
    }

    init(
        _ status: Int = 200, _ body: String = "{}", type: String = "application/json",
        change: (inout DigiDSettings) -> Void = { _ in }
    ) {
        var settings = DigiDSettings(
            id: "digid", issuer: "https://ow.example", resolver: Self.resolver, clientID: "shop app",
            clientSecret: Secret("s3:cret"), returnURL: Self.returnURL)
        change(&settings)
        let asked = Asked()
        self.asked = asked
        self.broker = DigiDBroker(
            settings,
            fetch: { request async throws(FetchError) in
                asked.requests.withLock { $0.append(request) }
                return ProviderResponse(status: status, contentType: type, body: Array(body.utf8))
            }, now: { Self.now })
    }

    /// The last request.
    var last: ProviderRequest? { self.asked.requests.withLock { $0.last } }

    /// The object in the text `data` of the last request.
    var lastData: JSON? {
        guard let body = self.last?.body, let text = try? JSON(parsing: body)["data"]?.string else { return nil }
        return try? JSON(parsing: Array(text.utf8))
    }
}
