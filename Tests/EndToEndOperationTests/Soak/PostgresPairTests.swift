import TestSupport
import Testing

/// Tests the pair of PostgreSQL servers that the fail-over tests use, with psql alone.
@Suite(.blocking, .serialized, .enabled(if: TestTier.isSoak, "SWITCHBACK_SOAK=1 runs it: make soak"))
struct PostgresPairTests {
    @Test func `what is acknowledged outlives a kill`() throws {
        let pair = try PostgresPair()
        defer { pair.remove() }
        try pair.primary.query("CREATE TABLE kept (number int)")
        for number in 1...3 {
            try pair.primary.query("INSERT INTO kept VALUES (\(number))")
            try pair.killAndRestartPrimary()
            #expect(try pair.primary.query("SELECT count(*) FROM kept") == "\(number)")
        }
    }

    @Test func `what is acknowledged is there after a failover`() throws {
        let pair = try PostgresPair()
        defer { pair.remove() }
        let bouncer = try PgBouncer(to: pair.primary)
        defer { bouncer.stop() }
        try pair.primary.query("CREATE TABLE kept (number int)")
        try pair.primary.query("INSERT INTO kept SELECT generate_series(1, 1000)")
        try pair.failOver()
        #expect(try pair.standby.query("SELECT count(*) FROM kept") == "1000")
        try pair.standby.query("INSERT INTO kept VALUES (1001)")
        try bouncer.point(to: pair.standby)
    }

    /// Otherwise the primary might acknowledge a commit that the standby does not have.
    @Test func `nothing is acknowledged without the standby`() throws {
        let pair = try PostgresPair()
        defer { pair.remove() }
        try pair.primary.query("CREATE TABLE kept (number int)")
        pair.standby.kill()
        #expect(throws: (any Error).self) {
            try pair.primary.query("SET statement_timeout = 500; INSERT INTO kept VALUES (1); SELECT 1/0")
        }
        let waiting = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        #expect(try pair.primary.query(waiting) == "0")
        try pair.standby.start()
    }
}
