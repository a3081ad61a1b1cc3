import Audit
import Base
import JOSE

/// A clock that a test sets.
final class TestClock: @unchecked Sendable {
    // Safe because a test changes it only while nothing else runs.
    var now = Timestamp(seconds: 1_800_000_000)
}

/// A key of the audit, and the records of one start that are signed with it.
struct AuditSample {
    static let begin = Timestamp(seconds: 1_800_000_000)
    /// Long after the last record.
    static let later = Self.begin + .seconds(3600)

    let signer: JWTSigner
    let key: JWK

    init(_ name: String = "a1") throws {
        let key = try PrivateKey.generate(.p256)
        self.signer = try JWTSigner(key: key, algorithm: .es256, keyID: name)
        self.key = key.publicKey.jwk(keyID: name, algorithm: .es256)
    }

    static func acknowledged(_ number: Int) -> AuditEvent {
        .acknowledged(login: "login-\(number)", app: "shop", provider: "mitid")
    }

    /// Returns `count` records between the first and the last one, each fourth of which is a signature.
    func lines(_ count: Int, isClosed: Bool = true) -> [[UInt8]] {
        var chain = AuditChain()
        var time = Self.begin
        var lines = [
            chain.record(.started(AuditEvent.Start(version: "1", host: "h", key: AuditKey(self.key))), at: time)
        ]
        for number in 0..<count {
            time = time + .seconds(1)
            lines.append(
                number % 4 == 3
                    ? self.signature(in: &chain, at: time)
                    : chain.record(Self.acknowledged(number), at: time))
        }
        if isClosed { lines.append(self.signature(in: &chain, closing: .chain, at: time)) }
        return lines
    }

    /// Returns the next record of the chain, which is signed.
    func signature(
        in chain: inout AuditChain, closing: AuditEvent.Closing? = nil, at time: Timestamp
    ) -> [UInt8] { chain.signature(by: self.signer, closing: closing, at: time) ?? [] }

    /// Reads the files in parts of seven bytes.
    func verdict(_ files: [[UInt8]], at now: Timestamp = later) -> AuditVerdict {
        var verifier = AuditVerifier(keys: [self.key])
        for (index, file) in files.enumerated() {
            verifier.beginFile("f\(index)")
            var reader = AuditLineReader()
            var rest = file[...]
            while !rest.isEmpty {
                reader.read(rest.prefix(7)) { verifier.read($0) }
                rest = rest.dropFirst(7)
            }
            verifier.endFile(rest: reader.rest)
        }
        return verifier.verdict(at: now)
    }

    func finding(_ lines: [[UInt8]], at now: Timestamp = later) -> AuditFinding? {
        self.verdict([Array(lines.joined())], at: now).finding
    }
}
