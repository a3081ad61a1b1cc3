import Attestation
import Base
import Cryptography
import Foundation
import Testing

/// App Attest on real phones: Apple's example, and those of devicecheck-appattest (see README.md).
@Suite(.enabled(if: Vectors.isHere, "SWITCHBACK_ATTESTATION_VECTORS is not set")) struct AppleVectorTests {
    private static func verifier(_ app: String, _ environment: AppAttestEnvironment) throws -> AppAttestVerifier {
        AppAttestVerifier(
            roots: try TrustedRoots(pem: try Vectors.bytes("apple-root.pem")), apps: [app],
            environments: [environment])
    }

    @Test func `Apple's published example is accepted in its time`() throws {
        let text = String(decoding: try Vectors.bytes("apple-guide.txt"), as: UTF8.self)
        let object = try Vectors.decoded(text.filter { !$0.isWhitespace })
        let verifier = try Self.verifier("1234567890.com.example.myapp", .production)
        let keyID = try Vectors.decoded("zgSY9YSD+7TaDXssY6WlOPVS1K3Lmk+pFhlcSWE+ZV0=")
        let challenge = Array("example_server_challenge".utf8)
        // 2026-04-21, and a week later.
        let (day, later) = (Timestamp(seconds: 1_776_800_000), Timestamp(seconds: 1_777_400_000))
        #expect(
            verifier.verify(object, keyID: keyID, clientDataHash: challenge, at: day)
                == .accepted(.app(.production)))
        #expect(verifier.verify(object, keyID: keyID, clientDataHash: challenge, at: later) == .refused(.expired))
        #expect(
            verifier.verify(object, keyID: keyID, clientDataHash: Digest.sha256.hash(challenge), at: day)
                == .refused(.wrongNonce))
        #expect(
            try Self.verifier("1234567890.com.example.other", .production)
                .verify(object, keyID: keyID, clientDataHash: challenge, at: day) == .refused(.wrongApp))
    }

    @Test func `samples of seven systems are accepted`() throws {
        let folder = "devicecheck-appattest/src/test/resources"
        var count = 0
        for name in try Vectors.names(in: folder, endingWith: ".yaml") {
            let text = String(decoding: try Vectors.bytes("\(folder)/\(name)"), as: UTF8.self)
            for document in text.components(separatedBy: "\n---\n") {
                let fields = Self.fields(document)
                guard fields["type"] == "attestation" else { continue }
                let app = "\(fields["teamIdentifier"] ?? "").\(fields["bundleIdentifier"] ?? "")"
                let verdict = try Self.verifier(app, .development).verify(
                    try Vectors.decoded(fields["attestationBase64"]), keyID: try Vectors.decoded(fields["keyIdBase64"]),
                    clientDataHash: try Vectors.decoded(fields["clientDataHashSha256Base64"]),
                    at: try Self.time(fields["timestamp"]))
                print("App Attest \(name): \(verdict)")
                #expect(verdict == .accepted(.app(.development)), "\(name)")
                count += 1
            }
        }
        #expect(count == 7)
    }

    /// Reads the lines `name: value` of a flat YAML document.
    private static func fields(_ document: String) -> [String: String] {
        document.split(separator: "\n").reduce(into: [:]) { fields, line in
            guard let colon = line.range(of: ": ") else { return }
            fields[String(line[..<colon.lowerBound])] = line[colon.upperBound...].filter { $0 != "'" }
        }
    }

    private static func time(_ text: String?) throws -> Timestamp {
        // The fraction of the second does not matter.
        guard let date = text.flatMap({ ISO8601DateFormatter().date(from: $0.prefix(19) + "Z") }) else {
            throw Vectors.Missing(description: "no time")
        }
        return Timestamp(seconds: Int(date.timeIntervalSince1970))
    }
}
