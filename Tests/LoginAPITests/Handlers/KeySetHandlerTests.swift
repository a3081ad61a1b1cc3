import HTTPWire
import JOSE
import StrictJSON
import Synchronization
import Testing

@testable import LoginAPI

/// Key sets whose keys change while the server runs.
@Suite struct KeySetHandlerTests {
    /// The keys that the server knows. Nil if it knows none.
    private final class Known: Sendable {
        let keys = Mutex<[JWK]?>([])
    }

    private static func key(_ name: String) throws -> JWK {
        try PrivateKey.generate(.p256).publicKey.jwk(keyID: name, algorithm: .es256)
    }

    private static func bench(_ known: Known) throws -> HandlerBench {
        try HandlerBench(
            sessions: .access,
            automaticKeys: AutomaticKeySets(lifetime: 12) { _ in known.keys.withLock { $0 }.map { JWKSet($0) } })
    }

    private static func names(_ response: Response) throws -> [String?] {
        try JWKSet(parsing: response.body).keys.map(\.keyID)
    }

    @Test(arguments: ["/.well-known/jwks.json", "/.well-known/access-jwks.json", "/client/jwks.json"])
    func `a key set has the keys of the moment, and none that may lack one is sent`(_ path: String) async throws {
        let known = Known()
        let bench = try Self.bench(known)
        #expect(try Self.names(try await bench.send(.get, path)) == [])
        let keys = [try Self.key("a"), try Self.key("b")]
        known.keys.withLock { $0 = keys }
        let response = try await bench.send(.get, path)
        #expect(try Self.names(response) == ["a", "b"])
        #expect(response.fields[.cacheControl] == "public, max-age=12")
        let tag = try #require(response.fields[.etag])
        #expect(try await bench.send(.get, path, [.ifNoneMatch: tag]).status == .notModified)
        known.keys.withLock { $0 = [keys[1]] }
        #expect(try Self.names(try await bench.send(.get, path, [.ifNoneMatch: tag])) == ["b"])
        known.keys.withLock { $0 = nil }
        let refusal = try await bench.send(.get, path)
        #expect(refusal.status == .serviceUnavailable && refusal.fields[.retryAfter] != nil)
        #expect(try JSON(parsing: refusal.body)["code"] == "store_unavailable")
    }
}
