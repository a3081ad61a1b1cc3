import CSSL
import BenchmarkSupport

/// Describes the machine of a run, because figures mean nothing without it.
enum Machine {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func description() throws -> String {
        let processor =
            try Command.output("grep -m1 'model name' /proc/cpuinfo || uname -m")
            .split(separator: ":").last.map { $0.filter { $0 != "\n" } } ?? "unknown"
        let count = try Command.output("nproc").filter { $0 != "\n" }
        let library = String(cString: OpenSSL_version(OPENSSL_VERSION))
        // The command and this process must measure the same code.
        let command = try Command.output("openssl version")
        guard command.contains("(Library: \(library))") else {
            throw Failure(description: "the command uses another libcrypto (\(command)) than we do (\(library))")
        }
        return "\(library),\(processor), \(count) processors"
    }
}
