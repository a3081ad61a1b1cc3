/// `switchback keys`: makes the keys that a configuration names.
import ArgumentParser
import Switchback

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Make keys.", subcommands: [GenerateKeyCommand.self])
}

struct GenerateKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make a key and write it to a new file that only its owner can read.",
        discussion: """
            A server key seals what lies in the store. The others are for what brokers are sent (keys.signing), for the
            assertions that apps get (keys.assertion), or for what brokers encrypt (keys.decryption): one key for one use. The
            public halves are in /client/jwks.json for brokers, and in /.well-known/jwks.json for the APIs of apps. A file
            that is there already is never written over.

            Examples:
              switchback keys generate server /etc/switchback/server.key
              switchback keys generate es256 /etc/switchback/signing.pem
              switchback keys generate rs256 --bits 2048 /etc/switchback/signing-rsa.pem
            """)

    @Argument(help: "server, or the algorithm that the key is for.")
    var kind: KeyGenerator.Kind

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Option(help: "The size of an RSA key: 2048, 3072 or 4096.")
    var bits = 3072

    func validate() throws {
        guard KeyGenerator.rsaSizes.contains(self.bits) else {
            throw ValidationError("--bits must be 2048, 3072 or 4096.")
        }
    }

    func run() throws {
        do throws(FileAccess.Failure) {
            try KeyGenerator.write(self.kind, rsaBits: self.bits, to: self.file)
        } catch {
            Output.error("\(self.file): \(error.message)")
            throw ExitCode.failure
        }
        print(KeyGenerator.advice(self.kind, file: self.file), terminator: "")
    }
}

extension KeyGenerator.Kind: ExpressibleByArgument {}
