/// Keys made from an agreed secret, with SHA-256 (NIST SP 800-56A §5.8.1, as RFC 7518 §4.6.2 uses it).

package enum ConcatKDF {
    /// `count` bytes for that algorithm and those two parties, the producer `u` and the consumer `v`.
    package static func derive(
        _ count: Int, from secret: Secret, algorithm: String, partyU: [UInt8], partyV: [UInt8]
    ) -> Secret {
        let information =
            self.data(Array(algorithm.utf8)) + self.data(partyU) + self.data(partyV) + self.number(count * 8)
        var output: [UInt8] = []
        var counter = 0
        while output.count < count {
            counter += 1
            output += Digest.sha256.hash(self.number(counter) + secret.exposed + information)
        }
        return Secret(Array(output.prefix(count)))
    }

    /// Bytes with their count before them.
    private static func data(_ bytes: [UInt8]) -> [UInt8] { self.number(bytes.count) + bytes }

    /// 32 bits, big-endian.
    private static func number(_ value: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
