import ArgumentParser
import Base
import ServerConfiguration

/// The options of every command that reads a configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(name: .long, help: "The configuration file. Default: the value of SWITCHBACK_CONFIG.", completion: .file())
    var config: String?

    @Option(name: .long, help: "The address and port, or Unix socket, for apps and browsers.")
    var listen: String?

    @Option(name: .long, help: "The address and port, or Unix socket, of /livez, /readyz and /metrics.")
    var operationsListen: String?

    @Option(
        name: .long, help: "A folder whose files replace those of the built-in pages.", completion: .directory)
    var publicDir: String?

    @Option(name: .long, help: "The lowest level that is logged.")
    var logLevel: String?

    @Option(
        name: .long, help: "The format of the log: text, json or auto.", completion: .list(["text", "json", "auto"]))
    var logFormat: String?

    var flags: [ConfigurationSource.Flag] {
        let options = [
            ("--listen", "listen", self.listen), ("--operations-listen", "operations_listen", self.operationsListen),
            ("--public-dir", "public_dir", self.publicDir), ("--log-level", "log.level", self.logLevel),
            ("--log-format", "log.format", self.logFormat),
        ]
        return options.compactMap { name, path, value in value.map { ConfigurationSource.Flag(name, path, $0) } }
    }

    /// Whether a flag or a variable names a configuration file.
    var namesConfiguration: Bool { Self.path(self.config, Environment.variables) != nil }

    /// The configuration file: that of the option, or that of the variable. An empty variable names none, so that a
    /// container can leave out the file that its image names.
    static func path(_ option: String?, _ environment: [String: String]) -> String? {
        option ?? environment["SWITCHBACK_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func path(_ environment: [String: String]) throws -> String {
        guard let path = Self.path(self.config, environment) else {
            throw OperatorError(
                "no configuration is named: use --config FILE or set SWITCHBACK_CONFIG. "
                    + "`switchback init` writes one, and `switchback sandbox` needs none")
        }
        return path
    }

    /// The loader for the named file with flags and variables, for a server that reloads it.
    func loader(_ environment: [String: String] = Environment.variables) throws -> ConfigurationLoader {
        ConfigurationLoader(path: try self.path(environment), environment: environment, flags: self.flags)
    }

    /// The named file with flags and variables. Ends the command if the file cannot be read.
    func source(_ environment: [String: String] = Environment.variables) throws -> ConfigurationSource {
        let path = try self.path(environment)
        do throws(FileError) {
            return ConfigurationSource(
                name: path, yaml: try FileAccess.system.read(path), environment: environment, flags: self.flags)
        } catch {
            throw OperatorError(error, of: path)
        }
    }

    /// Returns the checked configuration. If it has problems, prints them all and ends the command.
    func load() throws -> Configuration {
        switch try self.loader().load().outcome {
        case .success(let loaded): return loaded.configuration
        case .failure(let problems):
            Console.printErrors(problems.errors)
            throw ExitCode.failure
        }
    }
}
