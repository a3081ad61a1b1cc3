/// `switchback migrate`: makes the schema of the store `postgresql`, or brings it up to date.
import ArgumentParser
import Base
import ServerConfiguration
import Stores

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Make the schema of store postgresql, or bring it up to date.",
        discussion: """
            Run it as the role that shall own the schema, before the first start and before the servers of a new version \
            are started; servers of the version before go on meanwhile. What is there already is left as it is; several at \
            once are done one after the other.

            With --grant another role gets what a server needs and nothing else, so that servers run with \
            `postgresql.migrate: off` and without the right to change the schema. With --print nobody is asked: the SQL for \
            an empty database is printed, for whoever runs it himself.

            It reads `postgresql.url` and `postgresql.password` and no other setting, so it needs no configuration file, no \
            keys and no client secrets.

            Examples:
              SWITCHBACK_POSTGRESQL__URL=postgresql://owner@db.example.com/switchback \\
                SWITCHBACK_POSTGRESQL__PASSWORD_FILE=/run/secrets/owner switchback migrate --grant switchback
              switchback migrate --config /etc/switchback/switchback.yaml
              switchback migrate --print --grant switchback | psql -v ON_ERROR_STOP=1 switchback
            """)

    @Option(name: .long, help: "A configuration file that has postgresql.url. Also SWITCHBACK_CONFIG.")
    var config: String?

    @Option(help: "A role that gets what a server needs.")
    var grant: String?

    @Flag(name: .long, help: "Print the SQL for an empty database, and do nothing.")
    var print = false

    func run() throws {
        if self.print { return Console.result(PostgresMigration.script(grantee: self.grant)) }
        let settings = try self.settings(Environment.variables)
        do throws(PostgresOpeningError) {
            Console.result("\(try PostgresMigration.migrate(settings, grantee: self.grant))\n")
        } catch {
            Console.error("\(error)")
            throw ExitCode.failure
        }
    }

    /// What is wrong with the rest of a configuration is no reason to leave the schema as it is.
    private func settings(_ environment: [String: String]) throws -> PostgresSettings {
        let path = self.config ?? environment["SWITCHBACK_CONFIG"]
        do throws(FileError) {
            let yaml = try path.map { path throws(FileError) in try FileAccess.system.read(path) }
            let source = ConfigurationSource(
                name: path ?? "no file", yaml: yaml ?? Array("{}".utf8), environment: environment)
            let (settings, problems) = Configuration.postgresql(source)
            if problems.isEmpty, let settings { return settings }
            if problems.isEmpty {
                Console.error(
                    "there is nothing to migrate: set postgresql.url in a configuration, or SWITCHBACK_POSTGRESQL__URL")
            } else {
                Console.problems(problems, in: source.name)
            }
        } catch {
            Console.error("\(path ?? ""): \(error.message)")
        }
        throw ExitCode.failure
    }
}
