import CPQ

/// Creates or updates the schema, or throws if it does not fit. It blocks, and is meant for the start and for the
/// command.
package enum PostgresMigration {
    /// What was found and what was done.
    package struct Report: Equatable, Sendable, CustomStringConvertible {
        package let before: Int
        package let after: Int
        package let partitions: Int

        package var description: String {
            let schema =
                self.before == self.after
                ? "the schema already has version \(self.after)"
                : self.before == 0
                    ? "created the schema, version \(self.after)"
                    : "upgraded the schema from version \(self.before) to \(self.after)"
            return self.partitions == 0 ? schema : "\(schema); created \(self.partitions) partitions"
        }
    }

    /// Returns the statements for a database that has this version, for an operator who runs them by hand. An empty
    /// database has version 0.
    package static func script(grantee: String?, from version: Int = 0) -> String {
        let steps = PostgresSchema.steps.enumerated().dropFirst(version).map { $1 + PostgresSchema.record($0 + 1) }
        let preparation = version == 0 ? PostgresSchema.preparation + "\n" : ""
        let grants = grantee.map { PostgresSchema.grants(to: $0) } ?? ""
        return "BEGIN;\n\(preparation)\(steps.joined())\(grants)COMMIT;\n"
            + "SELECT * FROM switchback.keep_partitions((extract(epoch FROM now()) * 1000)::bigint);\n"
    }

    /// Runs the missing steps. Concurrent calls run one after another, and a repeated call finds nothing to do.
    package static func migrate(
        _ settings: PostgresSettings, grantee: String? = nil
    ) throws(StoreOpeningError) -> Report {
        try Self.migrate(settings.connector, grantee: grantee)
    }

    /// Runs the missing steps and takes them back: throws if a server that starts could not run them.
    package static func rehearse(_ settings: PostgresSettings) throws(StoreOpeningError) {
        try Self.withConnection(try settings.connector) { handle throws(PostgresError) in
            _ = try Self.runMissingSteps(handle)
            try handle.run("ROLLBACK")
        }
    }

    /// Leaves a transaction open. Returns the version before.
    private static func runMissingSteps(_ handle: borrowing PostgresHandle) throws(PostgresError) -> Int {
        try handle.run("BEGIN; SET LOCAL lock_timeout = '10s'")
        try handle.ask(PostgresStatement("SELECT pg_advisory_xact_lock($1)", [.integer(PostgresSchema.lock)]))
        let before = try Self.found(handle).map(\.version) ?? 0
        if before == 0 { try handle.run(PostgresSchema.preparation) }
        for (index, step) in PostgresSchema.steps.enumerated() where index >= before {
            try handle.run(step + PostgresSchema.record(index + 1))
        }
        return before
    }

    private static func migrate(
        _ connector: PostgresConnector, grantee: String? = nil
    ) throws(StoreOpeningError) -> Report {
        try Self.withConnection(connector) { handle throws(PostgresError) in
            // One transaction, so that a failure leaves nothing behind.
            let before = try Self.runMissingSteps(handle)
            if let grantee { try handle.run(PostgresSchema.grants(to: grantee)) }
            try handle.run("COMMIT")
            return Report(
                before: before, after: max(before, PostgresSchema.version), partitions: try Self.makePartitions(handle))
        }
    }

    /// Returns when this binary can work with the schema and the partitions for the next rows exist.
    static func prepare(
        _ connector: PostgresConnector, _ migrate: PostgresSettings.Migrate
    ) throws(StoreOpeningError) {
        // One connection for both is enough for a start that migrates nothing.
        let schema = try Self.withConnection(connector) { handle throws(PostgresError) in
            let schema = try Self.found(handle)
            if (try? Self.checkedVersion(schema)) != nil { _ = try Self.makePartitions(handle) }
            return schema
        }
        do throws(StoreOpeningError) {
            _ = try Self.checkedVersion(schema)
        } catch let error where migrate == .auto && error.isDue {
            _ = try Self.migrate(connector)
        }
    }

    /// Returns the schema's version. Throws if this binary cannot work with it. Changes nothing.
    package static func inspect(_ settings: PostgresSettings) throws(StoreOpeningError) -> Int {
        try Self.checkedVersion(
            try Self.withConnection(try settings.connector) { handle throws(PostgresError) in try Self.found(handle) })
    }

    // MARK: - Parts

    /// The version of a schema, and the oldest one whose binaries can work with it.
    private typealias Schema = (version: Int, oldestBinary: Int)

    /// Throws if this binary cannot work with it.
    private static func checkedVersion(_ schema: Schema?) throws(StoreOpeningError) -> Int {
        guard let schema else { throw StoreOpeningError(.noSchema) }
        guard schema.oldestBinary <= PostgresSchema.version else {
            throw StoreOpeningError(.newer(version: schema.version, supported: PostgresSchema.version))
        }
        guard schema.version >= PostgresSchema.version else {
            throw StoreOpeningError(.older(version: schema.version, needed: PostgresSchema.version))
        }
        return schema.version
    }

    /// Returns nil if there is no schema.
    private static func found(_ handle: borrowing PostgresHandle) throws(PostgresError) -> Schema? {
        let table = try handle.ask(
            PostgresStatement("SELECT 1 WHERE to_regclass('switchback.schema_version') IS NOT NULL"))
        guard !table.isEmpty else { return nil }
        let rows = try handle.ask(
            PostgresStatement(
                "SELECT version, oldest_binary FROM switchback.schema_version ORDER BY version DESC LIMIT 1"))
        guard !rows.isEmpty else { return nil }
        do throws(StorageError) {
            return (Int(try rows.integer(0, 0)), Int(try rows.integer(0, 1)))
        } catch {
            throw PostgresError(.refused(""), error)
        }
    }

    private static func makePartitions(_ handle: borrowing PostgresHandle) throws(PostgresError) -> Int {
        let answer = try handle.ask(
            PostgresStatement(
                "SELECT made FROM switchback.keep_partitions((extract(epoch FROM clock_timestamp()) * 1000)::bigint)"))
        return (try? answer.integer(0, 0)).map { Int($0) } ?? 0
    }

    private static func withConnection<Value>(
        _ connector: PostgresConnector, _ body: (borrowing PostgresHandle) throws(PostgresError) -> Value
    ) throws(StoreOpeningError) -> Value {
        do throws(PostgresError) {
            return try body(try connector.open())
        } catch {
            throw StoreOpeningError(error)
        }
    }
}
