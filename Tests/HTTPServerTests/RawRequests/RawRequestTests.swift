import Testing

/// Some hundreds of requests, byte for byte: right ones are served, doubtful ones are refused and end the connection.
@Suite struct RawRequestTests {
    static let themes: [(name: String, rows: [RawRequest])] = [
        ("request line", RawRequest.requestLine), ("methods", RawRequest.methods), ("targets", RawRequest.targets),
        ("host", RawRequest.host), ("fields", RawRequest.fieldSyntax), ("length", RawRequest.length),
        ("codings", RawRequest.codings), ("chunks", RawRequest.chunkGrammar), ("smuggling", RawRequest.smuggling),
        ("connection", RawRequest.connection), ("expect and upgrade", RawRequest.expectAndUpgrade),
    ]

    @Test(arguments: themes.map(\.name))
    func `each request over a socket gets its statuses`(_ theme: String) async throws {
        try await RawPlay.play(Self.themes.first { $0.name == theme }?.rows ?? [])
    }

    @Test(arguments: themes.flatMap(\.rows)) func `each request is parsed as the table says`(_ row: RawRequest) {
        #expect(RawPlay.parsed(row) == RawPlay.expected(row))
    }

    @Test func `the requests are many and differ`() {
        let rows = Self.themes.flatMap(\.rows)
        #expect(rows.count >= 250)
        #expect(Set(rows.map(\.bytes)).count == rows.count, "a row stands here twice")
        #expect(Set(rows.map(\.testDescription)).count == rows.count, "a name stands here twice")
    }
}
