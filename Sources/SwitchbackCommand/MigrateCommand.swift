/// `switchback migrate`: makes the schema of the store `postgresql`, or brings it up to date.
import ArgumentParser
import Stores
import Switchback

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

            Examples:
              SWITCHBACK_POSTGRESQL__URL=postgresql://owner@db.example.com/switchback \\
                switchback migrate --config /etc/switchback/switchback.yaml --grant switchback
              switchback migrate --print --grant switchback | psql -v ON_ERROR_STOP=1 switchback
            """)

    @OptionGroup var options: ConfigurationOptions

    @Option(help: "A role that gets what a server needs.")
    var grant: String?

    @Flag(name: .long, help: "Print the SQL for an empty database, and do nothing.")
    var print = false

    func run() throws {
        if self.print { return Output.result(PostgresMigration.script(grantee: self.grant)) }
        let configuration = try self.options.load()
        guard let settings = configuration.postgresql else {
            Output.error("there is nothing to migrate: postgresql.url is not set")
            throw ExitCode.failure
        }
        do throws(PostgresOpeningFailure) {
            Output.result("\(try PostgresMigration.migrate(settings, grantee: self.grant))\n")
        } catch {
            Output.error("\(error)")
            throw ExitCode.failure
        }
    }
}
