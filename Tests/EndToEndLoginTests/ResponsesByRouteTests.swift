import Base
import EndToEndSupport
import HTTPServer
import HTTPWire
import Testing

/// Checks what each address says to caches, over a socket: how long a response may be cached, what it varies by, its
/// entity tag, and whether it is compressed. A response with a secret, or with text that a client sent, is never cached
/// and never compressed.
@Suite struct ResponsesByRouteTests {
    struct Row: Sendable {
        /// The test fills in `{id}`, `{go}` and `{done}` from a login.
        let target: String
        var method = "GET"
        let status: Int
        var cache = "no-store"
        var vary: String?
        /// The strong tag of a compressed form differs from the plain one's.
        var tag: Tag?
        var isPacked = false

        enum Tag: Sendable { case strong, weak }
    }

    static let file = "public, max-age=300"
    /// No proxy may change it on the way.
    static let unchanged = "no-store, no-transform"

    /// The rows run in this order on one login, so a request that ends the login comes after the others.
    static let rows = [
        Row(
            target: "/v1/providers", status: 200, cache: file, vary: "accept-encoding, origin", tag: .strong,
            isPacked: true),
        Row(target: "/v1/logins/{id}", status: 200, cache: Self.unchanged, vary: "accept, origin", tag: .weak),
        Row(
            target: "/v1/logins/{id}/return", method: "POST", status: 200, cache: Self.unchanged, vary: "origin",
            tag: .weak),
        Row(target: "/v1/logins/{id}", method: "DELETE", status: 409, vary: "origin"),
        Row(target: "/v1/logins/none", status: 401, vary: "accept, origin"),
        Row(target: "/v1/nothing", status: 404, vary: "origin"),
        Row(target: "/v1/logins", method: "POST", status: 400, vary: "origin"),
        Row(target: "/go/{go}", status: 303),
        Row(target: "/go/none", status: 404, vary: "accept-language"),
        Row(target: "/callback/query?state=none", status: 303),
        Row(target: "/done/none", status: 404, vary: "accept-language"),
        Row(target: "/done/none/state", status: 404),
        Row(
            target: "/v1/logins/{id}/cancel", method: "POST", status: 200, cache: Self.unchanged, vary: "origin",
            tag: .weak),
        // These two are too small for compression.
        Row(target: "/.well-known/jwks.json", status: 200, cache: file, tag: .strong),
        Row(target: "/.well-known/openid-configuration", status: 200, cache: file, tag: .strong),
        Row(
            target: "/client/jwks.json", status: 200, cache: file, vary: "accept-encoding", tag: .strong,
            isPacked: true),
        Row(target: "/.well-known/assetlinks.json", status: 404),
        Row(target: "/openapi.yaml", status: 200, cache: file, vary: "accept-encoding", tag: .strong, isPacked: true),
        Row(
            target: "/openapi-app.yaml", status: 200, cache: file, vary: "accept-encoding", tag: .strong,
            isPacked: true),
        Row(
            target: "/assets/switchback.css", status: 200, cache: "public, max-age=3600", vary: "accept-encoding",
            tag: .strong, isPacked: true),
        Row(target: "/assets/none.css", status: 404),
        // This page may be compressed, but it is too small for that.
        Row(target: "/r/x?login=x", status: 200, vary: "accept-language, user-agent, accept-encoding"),
        Row(target: "/nothing", status: 404),
    ]

    @Test func `each address says what caches may do`() async throws {
        let app = "return_prefixes: [\"https://link.example.com/r/\"], origins: [\"https://www.example.com\"]"
        // The list of one provider is too small for compression.
        let variants = [.query, BrokerVariant(responseMode: "form_post"), BrokerVariant(requestStyle: "jar")]
        let server = try await RunningServer.start(variants, app: app, link: "https://link.example.com")
        let phone = PhoneApp(server.url)
        let link = try #require(try await phone.create(BrokerVariant.query.name).nextURL)
        for row in Self.rows {
            let target = row.target.replacing("{id}", with: phone.id ?? "").replacing(
                "{go}", with: link.split(separator: "/").last ?? "")
            var fields = [Parameter("Accept-Encoding", "gzip")]
            if row.target.contains("{id}") { fields.append(Parameter("Authorization", "Bearer \(phone.secret)")) }
            if row.method == "POST" { fields.append(Parameter("Content-Type", "application/json")) }
            let body = row.target.hasSuffix("/return") ? Array("{\"url\": null}".utf8) : []
            let packed = try await TestClient.send(row.method, server.url + target, fields: fields, body: body)
            try Self.check(packed, row)
            fields.removeFirst()
            let plain = try await TestClient.send(row.method, server.url + target, fields: fields, body: body)
            #expect(plain[.contentEncoding] == nil, "\(row.target)")
            #expect(plain[.vary] == packed[.vary], "\(row.target): both forms have the same Vary")
            guard let tag = packed[.etag], row.method == "GET" else { continue }
            #expect((plain[.etag] == tag) == !row.isPacked, "\(row.target)")
            // A tag matches the form that it was sent with, and not the other one.
            let known = fields + [Parameter("Accept-Encoding", "gzip"), Parameter("If-None-Match", tag)]
            let again = try await TestClient.send(row.method, server.url + target, fields: known)
            #expect(again.status == 304, "\(row.target)")
            #expect(again[.etag] == tag && again[.vary] == packed[.vary] && again[.cacheControl] == row.cache)
        }
        await server.stop()
    }

    private static func check(_ answer: Answer, _ row: Row) throws {
        #expect(answer.status == row.status, "\(row.target)")
        #expect(answer[.cacheControl] == row.cache, "\(row.target)")
        #expect(answer[.vary] == row.vary, "\(row.target)")
        #expect((answer[.contentEncoding] == "gzip") == row.isPacked, "\(row.target)")
        let tag = answer[.etag].flatMap { EntityTag($0) }
        #expect(tag.map { $0.isWeak ? Row.Tag.weak : .strong } == row.tag, "\(row.target)")
        if row.isPacked { #expect(Gzip.decompress(answer.body, limit: 1_000_000) != nil, "\(row.target)") }
    }

    /// The operations port compresses too.
    @Test func `metrics are compressed as well`() async throws {
        let server = try await RunningServer.start([.query])
        let gzip = [Parameter("Accept-Encoding", "gzip")]
        let metrics = try await TestClient.send("GET", "\(server.operations)/metrics", fields: gzip)
        #expect(metrics[.contentEncoding] == "gzip")
        #expect(metrics[.vary] == "accept-encoding")
        let text = try #require(Gzip.decompress(metrics.body, limit: 1_000_000))
        #expect(String(decoding: text, as: UTF8.self).contains("switchback_held_polls 0\n"))
        #expect(try await TestClient.send("GET", "\(server.operations)/readyz", fields: gzip)[.contentEncoding] == nil)
        await server.stop()
    }
}
