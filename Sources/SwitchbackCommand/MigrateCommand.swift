import ArgumentParser
import Base
import ServerConfiguration
import Stores

/// `switchback migrate`: creates the schema of the store `postgresql`, or upgrades it.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Create the schema of store postgresql, or upgrade it.",
        discussion: """
            Run it as the role that should own the schema: before the first start, and before you start servers of a \
            new version. Servers of the previous version continue to run meanwhile. Completed steps are not repeated, \
            and concurrent migrations run one after another.

            With --grant another role gets the privileges that a server needs and no others. Servers can then run with \
            `postgresql.migrate: off` and without the right to change the schema. --print does not connect: it prints \
            the SQL for an empty database, or with --from for one of that version, so that you can run it yourself.

            The command reads only `postgresql.url` and `postgresql.password`, so it needs no configuration file, no \
            keys and no client secrets.

            Examples:
              SWITCHBACK_POSTGRESQL__URL=postgresql://owner@db.example.com/switchback \\
                SWITCHBACK_POSTGRESQL__PASSWORD_FILE=/run/secrets/owner \\
                switchback migrate --grant switchback
              switchback migrate --config /etc/switchback/switchback.yaml
              switchback migrate --print --grant switchback \\
                | psql -v ON_ERROR_STOP=1 switchback
              switchback migrate --print --from 1 --grant switchback
            """)

    @Option(
        name: .long, help: "A configuration file with postgresql.url. Default: the value of SWITCHBACK_CONFIG.",
        completion: .file())
    var config: String?

    @Option(help: "A role that gets the privileges of a server.")
    var grant: String?

    @Flag(name: .long, help: "Only print the SQL.")
    var print = false

    @Option(help: "With --print: the version that the schema has. Default: there is none.")
    var from: Int?

    func validate() throws {
        guard let from = self.from else { return }
        guard self.print else { throw ValidationError("--from needs --print.") }
        guard (1..<PostgresSchema.version).contains(from) else {
            throw ValidationError("--from must be a version before \(PostgresSchema.version).")
        }
    }

    func run() throws {
        if self.print {
            return Console.printResult(PostgresMigration.script(grantee: self.grant, from: self.from ?? 0))
        }
        let settings = try self.settings(Environment.variables)
        do throws(StoreOpeningError) {
            Console.printResult("\(try PostgresMigration.migrate(settings, grantee: self.grant))\n")
        } catch {
            Console.printError("\(error)")
            throw ExitCode.failure
        }
    }

    /// Reads only the PostgreSQL settings, because other errors in a configuration must not stop a migration.
    private func settings(_ environment: [String: String]) throws -> PostgresSettings {
        let path = ConfigurationOptions.path(self.config, environment)
        do throws(FileError) {
            let yaml = try path.map { path throws(FileError) in try FileAccess.system.read(path) }
            let source = ConfigurationSource(
                name: path ?? "no file", yaml: yaml ?? Array("{}".utf8), environment: environment)
            let (settings, problems) = Configuration.postgresql(source)
            if problems.isEmpty, let settings { return settings }
            if problems.isEmpty {
                Console.printError(
                    "there is nothing to migrate: set postgresql.url in a configuration, or SWITCHBACK_POSTGRESQL__URL")
            } else {
                Console.printErrors(problems)
            }
        } catch {
            Console.printError("\(path ?? ""): \(error.message)")
        }
        throw ExitCode.failure
    }
}
