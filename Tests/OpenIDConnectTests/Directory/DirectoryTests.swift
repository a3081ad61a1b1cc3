import OpenIDConnect
import StrictJSON
import Synchronization
import TestSupport
import Testing

/// When the directory fetches a provider's metadata and keys, and what happens when the provider does not respond.
@Suite(.timeLimit(.minutes(1))) struct DirectoryTests {
    let clock = ManualClock()
    let provider: ScriptedProvider
    let directory: ProviderDirectory

    init() throws {
        self.provider = try ScriptedProvider(keys: TestKeys.shared().published)
        self.directory = self.provider.directory(self.clock)
    }

    /// oidcc-client-test-discovery-openid-config, oidcc-client-test-discovery-jwks-uri-keys
    @Test func `a provider is asked when needed, and once`() async throws {
        #expect(self.provider.requests.isEmpty)
        for _ in 0..<3 {
            #expect(try await self.directory.keys().document.keys.count == 5)
            #expect(try await self.directory.metadata().tokenEndpoint.text == "https://id.example/token")
        }
        let urls = ["https://id.example/.well-known/openid-configuration", "https://id.example/keys"]
        #expect(self.provider.requests.map(\.url) == urls)
        #expect(self.provider.requests.allSatisfy { $0.method == .get && $0.body.isEmpty })
    }

    /// Discovery 1.0, 4.1: a final slash of the issuer is not doubled.
    @Test(arguments: [
        ("https://id.example/op", "https://id.example/op/.well-known/openid-configuration"),
        ("https://id.example/op/", "https://id.example/op/.well-known/openid-configuration"),
        ("https://id.example:8443", "https://id.example:8443/.well-known/openid-configuration"),
    ])
    func `the document lies below the issuer`(_ issuer: String, _ url: String) async throws {
        var document = Example.document
        document["issuer"] = .string(issuer)
        self.provider.answer(.discovery, Example.json(document))
        let directory = self.provider.directory(self.clock, issuer: issuer)
        #expect(try await directory.metadata().issuer == issuer)
        #expect(self.provider.requests.map(\.url) == [url])
    }

    @Test(arguments: [false, true]) func `fifty callers share one fetch`(_ fails: Bool) async throws {
        if fails { self.provider.fail(.keys, .timedOut("")) }
        self.provider.hold()
        let callers = (0..<50).map { _ in
            Task { await refusal { () async throws(ProviderDirectoryError) in try await self.directory.keys() } }
        }
        #expect(try await eventually { self.provider.count(.discovery) == 1 })
        self.provider.release()
        for caller in callers {
            #expect(await caller.value == (fails ? .fetch(.timedOut("")) : nil))
        }
        #expect(self.provider.count(.discovery) == 1)
        #expect(self.provider.count(.keys) == 1)
    }

    @Test func `a caller who goes away ends no fetch`() async throws {
        self.provider.hold()
        let first = Task { try await self.directory.metadata() }
        #expect(try await eventually { self.provider.count(.discovery) == 1 })
        first.cancel()
        let second = Task { try await self.directory.metadata() }
        self.provider.release()
        await #expect(throws: Never.self) { try await second.value }
        #expect(self.provider.count(.discovery) == 1)
    }

    /// Others may wait for the same fetch, and they have more time.
    @Test func `a fetch does not have the time limit of its caller`() async throws {
        let limits = Mutex<[Duration?]>([])
        let directory = ProviderDirectory(
            issuer: Example.issuer, policy: EndpointPolicy(),
            fetch: { request async throws(FetchError) in
                limits.withLock { $0.append(FetchContext.current?.remainingTime) }
                return try await self.provider.fetch(request)
            }, now: { self.clock.now })
        let context = FetchContext(caller: [1], limit: .zero)
        _ = try await FetchContext.$current.withValue(context) { try await directory.keys() }
        #expect(limits.withLock { $0 } == [nil, nil])
    }

    @Test func `an hour later the provider is asked again`() async throws {
        _ = try await self.directory.keys()
        self.clock.advance(.milliseconds(3_599_999))
        _ = try await self.directory.keys()
        #expect(self.provider.requests.count == 2)
        self.clock.advance(.milliseconds(1))
        _ = try await self.directory.keys()
        #expect(self.provider.count(.discovery) == 2)
        #expect(self.provider.count(.keys) == 2)
    }

    @Test func `a clock that is set back makes nothing fresh`() async throws {
        _ = try await self.directory.metadata()
        self.clock.advance(.seconds(-86_400))
        _ = try await self.directory.metadata()
        #expect(self.provider.count(.discovery) == 2)
    }

    @Test func `the last good copy serves while the provider is down`() async throws {
        _ = try await self.directory.metadata()
        self.provider.fail(.discovery, .unreachable(""))
        self.clock.advance(.seconds(3600))
        // The first caller waits and gets the old copy. The others get it at once.
        for _ in 0..<3 { _ = try await self.directory.metadata() }
        #expect(self.provider.count(.discovery) == 2)

        // Later the fetch runs in the background: no caller waits for a provider that failed last time.
        self.clock.advance(.seconds(5))
        self.provider.answer(.discovery, Example.json(Self.withNewTokenEndpoint))
        self.provider.hold()
        let served = Mutex<[String]>([])
        let caller = Task {
            for _ in 0..<3 {
                let url = try await self.directory.metadata().tokenEndpoint.text
                served.withLock { $0.append(url) }
            }
        }
        #expect(try await eventually { served.withLock { $0.count == 3 } })
        #expect(Set(served.withLock { $0 }) == ["https://id.example/token"])
        #expect(try await eventually { self.provider.count(.discovery) == 3 })
        self.provider.release()
        try await caller.value
        #expect(
            try await eventually {
                try await self.directory.metadata().tokenEndpoint.text == "https://id.example/token2"
            })
        #expect(self.provider.count(.discovery) == 3)
    }

    /// After a success all is as before: the first caller after an hour waits for the new copy.
    @Test func `a failure is forgotten after a success`() async throws {
        self.provider.fail(.discovery, .unreachable(""))
        _ = try? await self.directory.metadata()
        self.provider.answer(.discovery, Example.json(Example.document))
        self.clock.advance(.seconds(5))
        _ = try await self.directory.metadata()
        self.provider.answer(.discovery, Example.json(Self.withNewTokenEndpoint))
        self.clock.advance(.seconds(3600))
        #expect(try await self.directory.metadata().tokenEndpoint.text == "https://id.example/token2")
    }

    private static var withNewTokenEndpoint: JSON.Object {
        var document = Example.document
        document["token_endpoint"] = "https://id.example/token2"
        return document
    }

    @Test func `a copy from yesterday is not used`() async throws {
        _ = try await self.directory.keys()
        self.provider.fail(.keys, .unreachable(""))
        self.clock.advance(.seconds(24 * 3600))
        await #expect(throws: ProviderDirectoryError.fetch(.unreachable(""))) { try await self.directory.keys() }
    }

    /// The provider was not asked at all.
    @Test(arguments: [FetchError.noDescriptors(""), .busy, .cancelled])
    func `a failure of ours is not remembered`(_ error: FetchError) async throws {
        self.provider.fail(.discovery, error)
        await #expect(throws: ProviderDirectoryError.fetch(error)) { try await self.directory.metadata() }
        self.provider.answer(.discovery, Example.json(Example.document))
        await #expect(throws: Never.self) { try await self.directory.metadata() }
    }

    @Test func `a failure is remembered for a moment`() async throws {
        self.provider.fail(.discovery, .unreachable(""))
        for _ in 0..<3 {
            await #expect(throws: ProviderDirectoryError.fetch(.unreachable(""))) {
                try await self.directory.metadata()
            }
        }
        self.provider.answer(.discovery, Example.json(Example.document))
        self.clock.advance(.milliseconds(4999))
        await #expect(throws: ProviderDirectoryError.fetch(.unreachable(""))) { try await self.directory.metadata() }
        #expect(self.provider.count(.discovery) == 1)

        self.clock.advance(.milliseconds(1))
        await #expect(throws: Never.self) { try await self.directory.metadata() }
        #expect(self.provider.count(.discovery) == 2)
    }
}
