import ArgumentParser
import Base
import ServerConfiguration

/// `switchback init`: asks for a broker and an app, and writes keys and a configuration for them.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Ask for a broker and an app, and write keys and a configuration that passes `check`.",
        discussion: """
            Writes switchback.yaml, the keys and the client secret, each to a new file that only its owner can read. It \
            overwrites nothing, and writes nothing if `check` would find an error. Then it prints what to register at \
            the broker and what to do next.

            On a terminal it asks for everything that no option gives. Otherwise it says which options are missing.

            For --broker oidc it knows the settings of many providers: docs/how-to/providers.md describes them.

            Examples:
              switchback init /etc/switchback
              switchback init --broker idura --issuer https://example-test.idura.broker \\
                --client-id urn:my:id:1 --client-secret-file secret.txt --app shop \\
                --public-url http://localhost:8080
              switchback init --broker oidc --provider auth0 --client-id abc \\
                --issuer https://example.eu.auth0.com/ --client-secret-file secret.txt \\
                --app shop --public-url http://localhost:8080
            """)

    @Argument(help: "The folder to write to. It is created if it is missing.", completion: .directory)
    var folder = "."

    @Option(help: "The broker: signaturgruppen, idura, vipps, digid or oidc.", completion: .list(Self.brokers))
    var broker: String?

    @Option(help: Self.providerHelp, completion: .list(KnownProvider.choices))
    var provider: String?

    @Option(name: .customLong("public-url"), help: "The URL of this server for browsers and the broker.")
    var publicURL: String?

    @Option(name: .customLong("link-url"), help: "The URL of links to the app. Without it, users type a code.")
    var linkURL: String?

    @Option(help: "The id of the app, as in shop.")
    var app: String?

    @Option(help: "The name of the app as users know it. Default: the id.")
    var appName: String?

    @Option(help: "The issuer of the broker. Signaturgruppen and Vipps have a default: their production.")
    var issuer: String?

    @Option(name: .customLong("client-id"), help: "The client id at the broker.")
    var clientID: String?

    @Option(help: "A file with the client secret at the broker, which is copied.", completion: .file())
    var clientSecretFile: String?

    @Option(help: "For digid: the URL of OneWelcome's registration that resolves artifacts.")
    var resolver: String?

    @Option(name: .customLong("eid-name"), help: "For oidc: the name of the e-ID as users know it.")
    var eidName: String?

    @Option(name: .customLong("ios-app-id"), help: "The app id of the iOS app, as in ABCDE12345.com.example.shop.")
    var iosAppID: String?

    @Option(help: "The package of the Android app, as in com.example.shop.")
    var androidPackage: String?

    @Option(help: "The SHA-256 fingerprint of the Android app's signing certificate.")
    var androidFingerprint: String?

    private static let providerHelp: ArgumentHelp =
        "For oidc: which provider it is, and so its settings: \(KnownProvider.choices.joined(separator: ", "))."

    private static let brokers = InitBroker.allCases.map(\.rawValue)

    private var givenAnswers: InitQuestion.Answers {
        let answers: [InitQuestion: String?] = [
            .broker: self.broker, .provider: self.provider, .publicURL: self.publicURL, .linkURL: self.linkURL,
            .app: self.app,
            .appName: self.appName, .issuer: self.issuer, .clientID: self.clientID, .resolver: self.resolver,
            .eidName: self.eidName, .iosAppID: self.iosAppID, .androidPackage: self.androidPackage,
            .androidFingerprint: self.androidFingerprint,
        ]
        return answers.compactMapValues { $0 }
    }

    func run() throws {
        let isAsking = Prompt.isPossible
        var questionnaire = InitQuestionnaire(self.givenAnswers, ask: isAsking ? { Prompt.line($0) } : nil)
        try questionnaire.complete()
        let secret = try self.secret(isAsking: isAsking, questionnaire.answers)
        let plan = try InitPlan(questionnaire.answers, secret: secret, folder: self.absoluteFolder)
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try plan.check()
        } catch {
            Console.printErrors(error.errors)
            throw OperatorError("nothing was written: these answers make no valid configuration")
        }
        try plan.write()
        Console.printResult(plan.report(configuration))
    }

    /// The folder's path without a final slash: the server may run in another folder.
    private var absoluteFolder: String {
        var folder = self.folder.hasPrefix("/") ? self.folder : "\(Environment.folder)/\(self.folder)"
        while folder.hasSuffix("/") || folder.hasSuffix("/.") { folder.removeLast() }
        return folder
    }

    /// Returns nil if the operator has none, or not yet.
    private func secret(isAsking: Bool, _ answers: InitQuestion.Answers) throws(OperatorError) -> [UInt8]? {
        if let path = self.clientSecretFile {
            do throws(FileError) {
                return try SystemFile.contents(of: path)
            } catch {
                throw OperatorError(error, of: path)
            }
        }
        guard isAsking, let broker = InitQuestion.broker(answers) else { return nil }
        let knownProvider = InitQuestion.provider(answers)
        if let knownProvider, !knownProvider.hasSecret { return nil }
        let otherwise =
            broker.needsSecret || knownProvider != nil ? "you add it later" : "a key of this server signs instead"
        let answer = Prompt.hiddenLine("Client secret at the broker, not shown (Enter for none: \(otherwise)): ") ?? ""
        return answer.isEmpty ? nil : Array("\(answer)\n".utf8)
    }
}
