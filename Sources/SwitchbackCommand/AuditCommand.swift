import ArgumentParser
import Audit
import Base
import Glibc
import JOSE
import ServerConfiguration

/// `switchback audit`: verifies what a server has recorded.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Verify the audit of a server.",
        subcommands: [VerifyAuditCommand.self, AuditKeysCommand.self, AuditWhoCommand.self])
}

/// `switchback audit verify`: finds what was changed, removed, doubled, reordered or cut off.
struct VerifyAuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Find records that were changed, removed, doubled, reordered or cut off.",
        discussion: """
            Each record has a number and the hash of the record before it, and a signature every minute covers all \
            records before it. The command reads the files in the order of their first records, says what it has read, \
            and stops at the first thing that is wrong.

            Exit status: 0 if the records are whole; 10 if one was changed, 11 if one is missing, 12 if one is there \
            twice, 13 if one stands at another place, 14 if the end is cut off, 15 if a signature is by a key that you \
            do not trust, and 1 if a file cannot be read.

            Examples:
              switchback audit verify /var/log/switchback/audit.jsonl*
              switchback audit verify --keys audit-keys.json audit.jsonl
            """)

    @Argument(help: "The files of the audit.", completion: .file())
    var files: [String]

    @Option(
        help:
            "A file with the public keys to trust, as `switchback audit keys` prints them. Default: those that the audit names itself.",
        completion: .file())
    var keys: String?

    @Option(help: "The time at which the files were copied, as in 2026-03-01T12:00:00Z. Default: now.")
    var at: String?

    func run() throws {
        var now = WallClock.now()
        if let at {
            guard let time = Timestamp(wholeSecondRFC3339: at) else {
                Console.printError("--at: must be a time in UTC, as in 2026-03-01T12:00:00Z")
                throw ExitCode.failure
            }
            now = time
        }
        var verifier = AuditVerifier(keys: try self.trustedKeys())
        for file in try self.ordered() {
            verifier.beginFile(file)
            var reader = AuditLineReader()
            try Self.read(file) { bytes in
                reader.read(bytes) { verifier.read($0) }
                return true
            }
            verifier.endFile(rest: reader.rest)
        }
        let verdict = verifier.verdict(at: now)
        for note in verdict.notes { print("Note: \(note).") }
        guard let finding = verdict.finding else {
            return print(
                "The audit is whole: \(verdict.records) records of \(verdict.chains) \(verdict.chains == 1 ? "start" : "starts")."
            )
        }
        Console.printError("\(finding).")
        throw ExitCode(finding.exitStatus)
    }

    private func trustedKeys() throws -> [JWK] {
        guard let path = self.keys else { return [] }
        let set: JWKSet
        do {
            set = try JWKSet(parsing: try SystemFile.contents(of: path))
        } catch let error as FileError {
            Console.printError("\(path): \(error.message)")
            throw ExitCode.failure
        } catch {
            Console.printError("\(path): is no set of keys, as `switchback audit keys` prints it")
            throw ExitCode.failure
        }
        guard !set.keys.isEmpty else {
            Console.printError("\(path): has no key")
            throw ExitCode.failure
        }
        return set.keys
    }

    /// The files in the order of their first records. `audit.jsonl*` names the newest first.
    private func ordered() throws -> [String] {
        var files: [(file: String, time: Timestamp?)] = []
        for file in self.files {
            var reader = AuditLineReader()
            var first: [UInt8]?
            try Self.read(file) { bytes in
                reader.read(bytes) { if first == nil { first = $0 } }
                return first == nil
            }
            files.append((file, first.flatMap { AuditVerifier.time(of: $0) }))
        }
        let last = Timestamp(milliseconds: .max)
        let order = files.indices.sorted {
            (files[$0].time ?? last, $0) < (files[$1].time ?? last, $1)
        }
        return order.map { files[$0].file }
    }

    /// Calls `body` with each part of the file, until it returns false.
    private static func read(_ path: String, _ body: (ArraySlice<UInt8>) -> Bool) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while descriptor >= 0 {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            guard body(buffer[..<count]) else { return }
        }
        Console.printError("\(path): \(String(cString: strerror(errno)))")
        throw ExitCode.failure
    }
}

/// `switchback audit keys`: prints the public keys that verify the audit.
struct AuditKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Print the public keys of keys.audit, for whoever verifies the audit.",
        discussion: """
            The keys are a JWK set (RFC 7517). Give it to the auditors before the records, by another way: the audit \
            names its keys itself, and whoever makes a false audit names false ones. After a rotation, add the new key and \
            keep the old one for as long as the records.

            Example:
              switchback audit keys --config switchback.yaml > audit-keys.json
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let configuration = try self.options.load()
        guard !configuration.auditKeys.isEmpty else {
            Console.printError("keys.audit names no key: create the first one with `switchback keys generate audit`")
            throw ExitCode.failure
        }
        print(String(decoding: JWKSet(configuration.auditKeys.map(\.jwk)).json.encoded(), as: UTF8.self))
    }
}

/// `switchback audit who`: prints the names of a user in the audit.
struct AuditWhoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "who", abstract: "Print the names that a user has in the audit.",
        discussion: """
            Reads the sub of the user from standard input, so that it is in no history and no list of processes. Prints \
            the user's name under each server key of the configuration, the active one first.

            Example:
              switchback audit who --config switchback.yaml < sub.txt
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let configuration = try self.options.load()
        guard let subject = readLine(), !subject.isEmpty else {
            Console.printError("standard input has no sub")
            throw ExitCode.failure
        }
        for key in configuration.serverKeys { print(AuditNames(key).name(of: subject)) }
    }
}
