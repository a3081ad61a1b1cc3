import ArgumentParser
import Base
import KeyFiles
import KeyRing
import Preflight
import ServerConfiguration

/// `switchback keys`: creates the keys that a configuration names, and rotates them without losing a login.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Create keys and rotate them.",
        subcommands: [GenerateKeyCommand.self, RotateKeyCommand.self, KeyStatusCommand.self])
}

/// `switchback keys generate`: creates one key, in a file of its own.
struct GenerateKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Create a key, in a new file that only its owner can read.",
        discussion: """
            A server key protects the logins in the store, and a session key the sessions. The other keys sign \
            requests to brokers (signing), sign the assertions (assertion) and access tokens (access) for apps, sign \
            the audit (audit), or decrypt what brokers encrypt (decryption). A person key names users by their national numbers. Each key \
            has only one use. An existing file is never overwritten. To change a key later, use `switchback keys \
            rotate`; a person key never changes.

            Examples:
              switchback keys generate server /etc/switchback/server.key
              switchback keys generate assertion /etc/switchback/assertion.pem
              switchback keys generate signing --algorithm rs256 --bits 2048 \\
                /etc/switchback/signing-rsa.pem
            """)

    @Argument(help: "What the key is for: server, signing, assertion, decryption, access, session, audit or person.")
    var use: Use

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Option(help: "The algorithm: es256, es384, es512, rs256 or ed25519. Not for server, session and person keys.")
    var algorithm = KeyGenerator.Kind.es256

    @Option(help: "The size of an RSA key: 2048, 3072 or 4096.")
    var bits = 3072

    func validate() throws {
        guard KeyGenerator.rsaSizes.contains(self.bits) else {
            throw ValidationError("--bits must be 2048, 3072 or 4096.")
        }
        guard self.algorithm.isKeyPair else {
            throw ValidationError("--algorithm must be es256, es384, es512, rs256 or ed25519.")
        }
        guard self.use != .list(.audit) || self.algorithm == .es256 else {
            throw ValidationError("An audit key must be es256.")
        }
        guard self.use != .list(.decryption) || self.algorithm != .ed25519 else {
            throw ValidationError("An ed25519 key cannot decrypt: use es256 or rs256.")
        }
    }

    func run() throws {
        try Console.write(self.file) { () throws(FileError) in
            try KeyGenerator.write(self.use.secretKind ?? self.algorithm, rsaBits: self.bits, to: self.file)
        }
        print(self.use.advice(file: self.file), terminator: "")
    }

    /// A key of a list, or the one key that is in no list because it never rotates.
    enum Use: Equatable, ExpressibleByArgument {
        case list(KeyUse)
        case person

        init?(argument: String) {
            if argument == "person" {
                self = .person
            } else if let use = KeyUse(rawValue: argument) {
                self = .list(use)
            } else {
                return nil
            }
        }

        static let allValueStrings = KeyUse.allCases.map(\.rawValue) + ["person"]
        static let defaultCompletionKind = CompletionKind.list(Self.allValueStrings)

        var secretKind: KeyGenerator.Kind? {
            switch self {
            case .list(let use): use.secretKind
            case .person: .person
            }
        }

        func advice(file: String) -> String {
            switch self {
            case .list(let use): KeyGenerator.advice(use, file: file)
            case .person: KeyGenerator.personAdvice(file: file)
            }
        }
    }
}

/// `switchback keys rotate`: takes the next step of a key rotation, or shows when it may be taken.
struct RotateKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Take the next step of a key rotation, or show when it may be taken.",
        discussion: """
            A new key is first published for a day: every server and every cache learns it, but no server uses it. \
            Then it becomes active automatically, on every server at the time in its file. The previous key is now \
            retired: it only decrypts and verifies what was made with it, for a day plus the lifetime of a login \
            (server, decryption), for an hour (signing, assertion, access, audit), or for a day and until the servers have \
            sealed every session again (session). After that it may be removed.

            Run the command at each step. It never edits the configuration, but prints the list to put there. Without \
            --write it creates no file either. If it is too early for the next step, it shows how much time is left. \
            `check` and `serve` refuse a list that skips a step.

            To replace a stolen key immediately, list only a new key from `switchback keys generate` and restart every \
            server. Logins in progress are lost, or all sessions (session).

            Examples:
              switchback keys rotate server --config /etc/switchback/switchback.yaml
              switchback keys rotate server --config /etc/switchback/switchback.yaml --write
            """)

    @Argument(help: "What the key is for: server, signing, assertion, decryption, access, session or audit.")
    var use: KeyUse

    @OptionGroup var options: ConfigurationOptions

    @Option(help: "The file of the key to replace, if several keys are active.", completion: .file())
    var replace: String?

    @Option(help: "The file of the new key. Default: a new file beside the former key.", completion: .file())
    var file: String?

    @Flag(help: "Create the file of the new key.")
    var write = false

    func run() throws {
        let configuration = try self.options.load()
        guard let schedule = configuration.keySchedules[self.use], !schedule.keys.isEmpty else {
            Console.printError(
                "\(self.use.setting) names no key: create the first one with `switchback keys generate \(self.use.rawValue)`"
            )
            throw ExitCode.failure
        }
        if configuration.keys.automatic.contains(self.use) {
            print(
                """
                \(self.use.setting) rotates itself (keys.automatic), so you need not do this. The key in the file signs \
                only while no automatic key can; what follows is about that file. If somebody may have a copy of an \
                automatic key, set keys.trusted_since to the present time and reload every server.

                """)
        }
        let rotation = KeyRotation(schedule, sealed: Console.sealedSessions(self.use, configuration))
        let step = rotation.next(replacing: self.replace)
        print(rotation.status)
        switch step {
        case .wait(let reason):
            Console.printError("too early: \(rotation.text(of: reason)).")
            throw ExitCode.failure
        case .choose(let names):
            Console.printError("several keys are active: choose one with --replace: \(names.joined(separator: ", "))")
            throw ExitCode.failure
        case .remove(let names):
            print("Remove \(names.joined(separator: ", ")) from the list on every server. Then delete the file.\n")
            print(self.list(rotation.names(after: step, adding: "")), terminator: "")
        case .publish(let former, let active):
            try self.publish(rotation, step, former, active)
        }
    }

    private func publish(_ rotation: KeyRotation, _ step: KeyRotation.Step, _ former: String, _ active: Timestamp)
        throws
    {
        let now = WallClock.now()
        let file = self.file ?? Self.name(after: former, now)
        if self.write {
            try Console.write(file) { () throws(FileError) in
                try rotation.write(file, after: former, at: now)
            }
            print("Created \(file). It becomes active automatically at \(active.wholeSecondRFC3339).")
        } else {
            print("With --write this creates \(file), which becomes active at \(active.wholeSecondRFC3339).")
        }
        print("Before then, copy the file and this list to every server:\n")
        print(self.list(rotation.names(after: step, adding: file)), terminator: "")
    }

    private func list(_ names: [String]) -> String {
        guard self.use != .server else { return "  server_keys: [\(names.joined(separator: ", "))]\n" }
        return "  keys:\n    \(self.use.rawValue):\n" + names.map { "      - file: \($0)\n" }.joined()
    }

    /// `server.key` is followed by `server-20261122.key`, and that by `server-20270301.key`.
    private static func name(after former: String, _ now: Timestamp) -> String {
        let slash = former.lastIndex(of: "/").map { former.index(after: $0) } ?? former.startIndex
        let dot = former[slash...].lastIndex(of: ".") ?? former.endIndex
        let stem = former[slash..<dot].replacing(/-\d{8}$/, with: "")
        let day = now.wholeSecondRFC3339.prefix(10).filter { $0 != "-" }
        return "\(former[..<slash])\(stem)-\(day)\(former[dot...])"
    }
}

/// `switchback keys status`: shows the phase of each key, and when the next step may be taken.
struct KeyStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the phase of each key, and when the next step may be taken.",
        discussion: """
            For session keys it also counts the sessions in the store that need each key, which may take a moment. A \
            key that still seals sessions must not be removed: they would end. Automatic keys (keys.automatic) follow \
            the files, as they are in the store.
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let configuration = try self.options.load()
        let ring = Console.automaticKeys(configuration)
        for use in KeyUse.allCases {
            guard let schedule = configuration.keySchedules[use] else { continue }
            let rotation = KeyRotation(schedule, sealed: Console.sealedSessions(use, configuration))
            print(rotation.status, terminator: "")
            guard configuration.keys.automatic.contains(use) else { continue }
            let report = ring?.report(use, at: WallClock.now()) ?? ""
            print(report.isEmpty ? "\(use.setting), automatic: none yet\n" : report, terminator: "")
        }
    }
}

extension KeyGenerator.Kind: ExpressibleByArgument {
    /// Those that `--algorithm` takes.
    package static var allValueStrings: [String] { Self.allCases.filter(\.isKeyPair).map(\.rawValue) }
}
extension KeyUse: ExpressibleByArgument {}

extension Console {
    /// Returns the automatic keys, if there are any. If nobody can tell, prints why.
    fileprivate static func automaticKeys(_ configuration: Configuration) -> KeyRing? {
        guard !configuration.keys.automatic.isEmpty else { return nil }
        do throws(OperatorError) {
            return try AutomaticKeys.read(configuration)
        } catch {
            Console.printError("the automatic keys cannot be read: \(error)")
            return nil
        }
    }

    /// Returns how many sessions each key has sealed, for the list of session keys. If nobody can tell, prints why.
    fileprivate static func sealedSessions(_ use: KeyUse, _ configuration: Configuration) -> [String: Int]? {
        guard use == .session, !configuration.sessionKeys.isEmpty else { return nil }
        do throws(OperatorError) {
            return try SealedSessions.counts(configuration)
        } catch {
            Console.printError(
                "the sessions cannot be counted: \(error). Remove no session key while a session may need it")
            return nil
        }
    }

    /// Prints the file's name and ends the command if the file cannot be written.
    fileprivate static func write(_ file: String, _ body: () throws(FileError) -> Void) throws {
        do throws(FileError) {
            try body()
        } catch {
            Console.printError("\(file): \(error.message)")
            throw ExitCode.failure
        }
    }
}
