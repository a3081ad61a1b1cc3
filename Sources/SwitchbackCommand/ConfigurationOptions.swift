/// The options of every command that reads a configuration.
import ArgumentParser
import Base
import ServerConfiguration

struct ConfigurationOptions: ParsableArguments {
    @Option(name: .long, help: "The configuration file. Also SWITCHBACK_CONFIG.")
    var config: String?

    @Option(name: .long, help: "The address and port, or Unix socket, for apps and browsers.")
    var listen: String?

    @Option(name: .long, help: "The address and port, or Unix socket, of /livez, /readyz and /metrics.")
    var operationsListen: String?

    @Option(name: .long, help: "The folder with the pages and openapi.yaml.")
    var publicDir: String?

    @Option(name: .long, help: "The least level that is logged.")
    var logLevel: String?

    @Option(name: .long, help: "text, json or auto.")
    var logFormat: String?

    var flags: [ConfigurationSource.Flag] {
        let given = [
            ("--listen", "listen", self.listen), ("--operations-listen", "operations_listen", self.operationsListen),
            ("--public-dir", "public_dir", self.publicDir), ("--log-level", "log.level", self.logLevel),
            ("--log-format", "log.format", self.logFormat),
        ]
        return given.compactMap { name, path, value in value.map { ConfigurationSource.Flag(name, path, $0) } }
    }

    private func path(_ environment: [String: String]) throws -> String {
        guard let path = self.config ?? environment["SWITCHBACK_CONFIG"] else {
            throw ValidationError("No configuration: give --config FILE, or set SWITCHBACK_CONFIG.")
        }
        return path
    }

    /// The named file with flags and variables, to be loaded as often as it changes.
    func loader(_ environment: [String: String] = Environment.variables) throws -> ConfigurationLoader {
        ConfigurationLoader(path: try self.path(environment), environment: environment, flags: self.flags)
    }

    /// The named file with flags and variables; ends the command when there is none that can be read.
    func source(_ environment: [String: String] = Environment.variables) throws -> ConfigurationSource {
        let path = try self.path(environment)
        do throws(FileError) {
            return ConfigurationSource(
                name: path, yaml: try FileAccess.system.read(path), environment: environment, flags: self.flags)
        } catch {
            Console.error("\(path): \(error.message)")
            throw ExitCode.failure
        }
    }

    /// The checked configuration; ends the command with every problem printed when it has any.
    func load() throws -> Configuration { try self.loader().loadForCommand().loaded.configuration }
}

/// Loading as a command does it: what is wrong is printed, and ends it.
extension ConfigurationLoader {
    /// The checked configuration, and what was read for it. Throws an exit code when every problem is printed.
    func loadForCommand() throws -> (loaded: Loaded, attempt: Attempt) {
        let attempt = self.load()
        switch attempt.outcome {
        case .success(let loaded): return (loaded, attempt)
        case .failure(let problems):
            Console.problems(problems.errors, in: self.path)
            throw ExitCode.failure
        }
    }
}
