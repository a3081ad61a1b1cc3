import Glibc

/// Runs a command of the system.
package enum Command {
    package struct Failure: Error {
        let command: String
    }

    /// Runs a shell command and returns its output.
    package static func output(_ command: String) throws -> String {
        guard let pipe = popen(command, "r") else { throw Failure(command: command) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { output += buffer[..<count] }
        guard pclose(pipe) == 0 else { throw Failure(command: command) }
        return String(decoding: output, as: UTF8.self)
    }
}
