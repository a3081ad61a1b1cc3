import Base
import KeyFiles
import Preflight
import ServerConfiguration

/// The files of `switchback init`: makes them in memory, checks them, and only then writes them.
struct InitPlan {
    let configuration: InitConfiguration
    /// Their contents by path, in the order in which they are written. The configuration is the last one.
    private let files: [(path: String, bytes: [UInt8])]
    /// Nil when there is none yet.
    private let secret: [UInt8]?

    /// `secret` is the content of the file with the client secret.
    init(_ answers: InitQuestion.Answers, secret: [UInt8]?, folder: String) throws {
        guard let broker = InitQuestion.broker(answers) else { throw OperatorError("--broker is missing") }
        let knownProvider = InitQuestion.provider(answers)
        let hasSecret = knownProvider?.hasSecret ?? (secret != nil || broker.needsSecret)
        if let knownProvider, secret != nil, !hasSecret {
            throw OperatorError("--client-secret-file has no effect: \(knownProvider.title) takes no client secret")
        }
        let configuration = InitConfiguration(answers: answers, broker: broker, hasSecret: hasSecret, folder: folder)
        var files: [(String, [UInt8])] = [
            (configuration.serverKeyPath, try KeyGenerator.file(.server)),
            (configuration.assertionKeyPath, try KeyGenerator.file(.es256)),
        ]
        if let path = configuration.signingKeyPath {
            files.append((path, try KeyGenerator.file(knownProvider?.signingKey ?? .es256)))
        }
        if let secret { files.append((configuration.secretPath, secret)) }
        files.append((configuration.path, Array(configuration.yaml.utf8)))
        self.files = files
        self.configuration = configuration
        self.secret = secret
    }

    /// Checks the configuration as `switchback check` would. Without a client secret it assumes one.
    func check() throws(ConfigurationError) -> Configuration {
        var files = Dictionary(self.files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        if self.configuration.hasSecret {
            files[self.configuration.secretPath] = self.secret ?? Array(KeyGenerator.word().utf8)
        }
        let source = ConfigurationSource(
            name: self.configuration.path, yaml: Array(self.configuration.yaml.utf8), files: FileAccess(files))
        return try Configuration(source)
    }

    /// Writes the files, which only their owner can read. If one of them exists, it writes none.
    func write() throws(OperatorError) {
        for file in self.files where SystemFile.modificationTime(of: file.path) != nil {
            throw OperatorError("\(file.path) already exists, and nothing is overwritten: name another folder")
        }
        try self.write(self.configuration.folder, SystemFile.makeFolder)
        for file in self.files {
            try self.write(file.path) { path throws(FileError) in try SystemFile.create(path, file.bytes) }
        }
    }

    private func write(_ path: String, _ body: (String) throws(FileError) -> Void) throws(OperatorError) {
        do throws(FileError) {
            try body(path)
        } catch {
            throw OperatorError(error, of: path)
        }
    }

    /// What was written, what to register, and what to do next.
    func report(_ configuration: Configuration) -> String {
        """
        Wrote these files, which only their owner can read:
        \(self.files.map { "  \($0.path)\n" }.joined())
        Register this at \(self.configuration.knownProvider?.title ?? configuration.brokers.first?.portal ?? "the broker"):

        \(RegistrationReport.text(configuration))
        \(self.advice)Then:

        \(self.steps.enumerated().map { "  \($0 + 1). \($1)\n" }.joined())
        """
    }

    /// What is special about the provider.
    private var advice: String {
        guard let knownProvider = self.configuration.knownProvider, !knownProvider.advice.isEmpty else { return "" }
        return "About \(knownProvider.title):\n\n\(knownProvider.advice.map { "  - \($0)\n" }.joined())\n"
    }

    private var steps: [String] {
        let path = self.configuration.path
        var steps: [String] = []
        if self.configuration.hasSecret, self.secret == nil {
            steps.append("Write the client secret to \(self.configuration.secretPath), and run chmod 0600 on it.")
        }
        steps.append("switchback check --config \(path)")
        steps.append("switchback check --config \(path) --online")
        steps.append("switchback serve --config \(path)")
        return steps
    }
}
