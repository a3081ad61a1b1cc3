import Testing

/// docs/reference/log-events.md has every event of the log, with its level and its fields.
@Suite struct LogEventsPageTests {
    private struct Row {
        let line: Int
        let levels: [String]
        let fields: Set<String>
    }

    private static func rows() throws -> [String: Row] {
        let page = try #require(Documentation.page("docs/reference/log-events.md"))
        var rows: [String: Row] = [:]
        for table in page.tables where table.header.first == "event" {
            for cells in table.rows {
                let name = try #require(Inline(cells[0]).code.first)
                #expect(rows[name] == nil, "\(name) stands here twice")
                rows[name] = Row(
                    line: table.line, levels: cells[1].split(separator: ", ").map(String.init),
                    fields: Set(Inline(cells[2]).code))
            }
        }
        return rows
    }

    @Test func `the page has every event and no other`() throws {
        let (shown, known) = (Set(try Self.rows().keys), try LogEvents.names.get())
        #expect(known.subtracting(shown).sorted() == [], "missing")
        #expect(shown.subtracting(known).sorted() == [], "no events")
        #expect(known.count > 30)
    }

    @Test func `each event has its level and its fields`() throws {
        let events = try LogEvents.all.get()
        for (name, row) in try Self.rows() {
            guard let event = events[name] else { continue }
            if !event.levels.isEmpty { #expect(Set(row.levels) == event.levels, "\(name)") }
            #expect(event.fields.isSubset(of: row.fields), "\(name) has more fields")
            if event.hasAllFields { #expect(row.fields.isSubset(of: event.fields), "\(name) has fewer fields") }
        }
    }

    @Test func `the page has every field of logins`() throws {
        let page = try #require(Documentation.page("docs/reference/log-events.md"))
        let table = try #require(page.tables.first { $0.header.first == "field" })
        #expect(Set(table.rows.flatMap { Inline($0[0]).code }) == LogEvents.fieldsOfLogins)
    }

    @Test func `the page has every field of sessions`() throws {
        let page = try #require(Documentation.page("docs/reference/log-events.md"))
        let table = try #require(page.tables.first { $0.header.first == "session field" })
        #expect(Set(table.rows.flatMap { Inline($0[0]).code }) == LogEvents.fieldsOfSessions)
    }
}
