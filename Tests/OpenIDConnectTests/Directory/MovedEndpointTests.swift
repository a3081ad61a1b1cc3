import OpenIDConnect
import StrictJSON
import Testing

/// An endpoint that is gone makes us ask for the metadata again: at most once a minute, and judged like the first time.
@Suite(.timeLimit(.minutes(1))) struct MovedEndpointTests {
    let clock = ManualClock()
    let provider: ScriptedProvider
    let directory: ProviderDirectory

    init() throws {
        self.provider = try ScriptedProvider(keys: TestKeys.shared().published)
        self.directory = self.provider.directory(self.clock)
    }

    private func move(_ name: String, _ url: String) {
        var document = Example.document
        document[name] = .string(url)
        self.provider.answer(.discovery, Example.json(document))
    }

    private func note(_ status: Int) -> Bool {
        self.directory.note(ProviderResponse(status: status, contentType: nil, body: []))
    }

    @Test(arguments: [404, 410]) func `after a 404 or 410 the next caller fetches again`(_ status: Int) async throws {
        #expect(try await self.directory.metadata().tokenEndpoint.text == "https://id.example/token")
        self.move("token_endpoint", "https://id.example/token2")
        #expect(self.note(status))
        #expect(try await self.directory.metadata().tokenEndpoint.text == "https://id.example/token2")
        #expect(try await self.directory.metadata().tokenEndpoint.text == "https://id.example/token2")
        #expect(self.provider.count(.discovery) == 2)
    }

    @Test(arguments: [200, 301, 302, 307, 400, 401, 403, 405, 429, 500, 502, 503])
    func `no other status causes a fetch`(
        _ status: Int
    ) async throws {
        _ = try await self.directory.metadata()
        #expect(!self.note(status))
        _ = try await self.directory.metadata()
        #expect(self.provider.count(.discovery) == 1)
    }

    @Test func `the metadata is fetched once a minute`() async throws {
        _ = try await self.directory.metadata()
        for second in 0..<180 {
            _ = self.note(404)
            _ = try await self.directory.metadata()
            #expect(self.provider.count(.discovery) == 2 + second / 60)
            self.clock.advance(.seconds(1))
        }
    }

    /// The issuer and the hosts are judged anew. What is refused does not replace what was good.
    @Test(arguments: [
        ("token_endpoint", "https://evil.example/token"), ("token_endpoint", "http://id.example/token"),
        ("issuer", "https://evil.example"), ("jwks_uri", "https://evil.example/keys"),
    ])
    func `a move to another party is refused`(_ name: String, _ url: String) async throws {
        _ = try await self.directory.metadata()
        self.move(name, url)
        #expect(self.note(404))
        let metadata = try await self.directory.metadata()
        #expect(metadata.tokenEndpoint.text == "https://id.example/token")
        #expect(metadata.jwksURI.text == "https://id.example/keys")
        #expect(self.provider.count(.discovery) == 2)
    }

    @Test func `while the provider is down the old document serves`() async throws {
        _ = try await self.directory.metadata()
        self.provider.fail(.discovery, .unreachable(""))
        #expect(self.note(404))
        #expect(try await self.directory.metadata().tokenEndpoint.text == "https://id.example/token")
    }

    // MARK: - The keys

    @Test func `keys that have moved are found at once`() async throws {
        self.provider.answer(
            .keys, at: "https://id.example/keys", ProviderResponse(status: 404, contentType: nil, body: []))
        _ = try await self.directory.metadata()
        self.move("jwks_uri", "https://id.example/keys2")
        #expect(try await self.directory.keys().document.keys.count == 5)
        #expect(
            self.provider.requests.map(\.url).suffix(2) == [
                "https://id.example/.well-known/openid-configuration", "https://id.example/keys2",
            ])
    }

    @Test func `keys that are gone are not looked for again and again`() async throws {
        self.provider.answer(.keys, ProviderResponse(status: 410, contentType: nil, body: []))
        for _ in 0..<60 {
            await #expect(throws: ProviderDirectoryError.status(410)) { try await self.directory.keys() }
            self.clock.advance(.seconds(1))
        }
        #expect(self.provider.count(.discovery) <= 3)
        #expect(self.provider.count(.keys) <= 12)
    }

    @Test func `keys that move to another party are not fetched`() async throws {
        self.provider.answer(.keys, ProviderResponse(status: 404, contentType: nil, body: []))
        _ = try await self.directory.metadata()
        self.move("jwks_uri", "https://evil.example/keys")
        await #expect(throws: ProviderDirectoryError.status(404)) { try await self.directory.keys() }
        #expect(!self.provider.requests.contains { $0.url.contains("evil") })
    }
}
