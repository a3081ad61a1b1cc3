import Glibc
import BenchmarkSupport

/// The rates of the command `openssl speed`, which also counts its own CPU time.
struct OpenSSLSpeed {
    struct Failure: Error {
        let output: String
    }

    let rsa: Pair
    let p256: Pair

    /// How many signatures are made and verified per second.
    struct Pair {
        let sign: Double
        let verify: Double
    }

    static func measured() throws -> Self {
        Self(
            rsa: try self.measured("rsa2048", "rsa 2048 bits"), p256: try self.measured("ecdsap256", " 256 bits ecdsa"))
    }

    /// The line of the result reads `rsa 2048 bits 0.000552s 0.000016s   1811.2  62124.9`.
    private static func measured(_ algorithm: String, _ beginning: String) throws -> Pair {
        let output = try Command.output("openssl speed -seconds 1 \(algorithm) 2>/dev/null")
        let line = output.split(separator: "\n").first { $0.hasPrefix(beginning) }
        let numbers = line?.split(separator: " ").suffix(2).compactMap { Double($0) } ?? []
        guard numbers.count == 2 else { throw Failure(output: output) }
        return Pair(sign: numbers[0], verify: numbers[1])
    }
}
