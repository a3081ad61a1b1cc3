import Attestation
import AttestedPhones
import Base
import Foundation
import TestSupport
import Testing

/// Writes the seeds of the fuzz targets: attestations that are right, and broken ones. It runs only when somebody wants
/// new ones, because each run makes other keys.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_SEEDS"] == "1",
        "SWITCHBACK_WRITE_SEEDS=1 writes Tests/Fuzzing/Corpus"))
struct FuzzSeedTests {
    private static let fuzzing = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzzing")

    private static func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: Self.fuzzing.appending(path: "Corpus/\(name)"))
    }

    @Test func `the seeds of the fuzz targets are written`() throws {
        let apple = try AppAttestStage()
        for row in AppAttestTests.statements + AppAttestTests.contents where row.outcome != .tooLarge {
            var stage = apple
            try row.change(&stage)
            try Self.write(try stage.attestation(), "app-attest/seed-\(Self.file(row.name))")
        }
        try Self.write(try apple.attestation(), "app-attest/seed-right")
        try Self.write(apple.data.bytes(), "app-attest/seed-authenticator-data")
        var extended = apple.data
        extended.extensions = .map([CBOR.Pair(.text("apple_bundle_version_01"), .text("1"))])
        try Self.write(extended.bytes(), "app-attest/seed-authenticator-data-with-extensions")

        let android = try KeyAttestationStage.remote()
        for row in KeyDescriptionRows.all {
            var stage = android
            try row.change(&stage)
            try Self.write(stage.description.encoded(), "key-description/seed-\(Self.file(row.name))")
        }
        try Self.write(android.description.encoded(), "key-description/seed-right")
        for row in KeyAttestationTests.remote where row.outcome != .tooLarge {
            var stage = android
            try row.change(&stage)
            let chain = CBOR.array(try stage.attestation().dropLast().map(CBOR.bytes)).encoded()
            try Self.write(chain, "key-attestation/seed-\(Self.file(row.name))")
        }
        try Self.write(
            CBOR.array(try android.attestation().map(CBOR.bytes)).encoded(), "key-attestation/seed-right")

        for (index, example) in CBORTests.examples.enumerated() {
            try Self.write([UInt8](hex: example.hex), "cbor/seed-example-\(index)")
        }
        for (index, row) in CBORTests.refused.enumerated() {
            try Self.write([UInt8](hex: row.hex), "cbor/seed-\(row.error.rawValue)-\(index)")
        }
        try Self.example(apple, android).write(
            to: Self.fuzzing.appending(path: "Targets/AttestationExample.swift"), atomically: true, encoding: .utf8)
    }

    private static func file(_ name: String) -> String {
        String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
    }

    private static func example(_ apple: AppAttestStage, _ android: KeyAttestationStage) throws -> String {
        let (appleRoot, googleRoot) = (try Self.pem(apple.root), try Self.pem(android.root))
        let thumbprint = try KeyAttestationStage.thumbprint(of: android.chain[0].key.point)
        let data = Array(Base64.encode(apple.data.bytes()))
        let lines = stride(from: 0, to: data.count, by: 80).map { "\"\(String(data[$0...].prefix(80)))\"" }
        return """
            /// The roots, apps, keys and time of the attestation targets. SWITCHBACK_WRITE_SEEDS=1 makes others (`FuzzSeedTests`).
            import Attestation
            import Base

            enum AttestationExample {
                static let app = "\(AppAttestStage.app)"
                static let androidApp = TrustedAndroidApp(
                    package: "com.example.app", signers: [[UInt8](repeating: 3, count: 32)])
                static let challenge = [UInt8](repeating: 7, count: 32)
                static let thumbprint = "\(apple.thumbprint)"
                static let keyThumbprint = "\(thumbprint)"
                static let now = Timestamp(seconds: 1_800_000_000)
                static let authenticatorData = Base64.decode(
                    \(lines.joined(separator: "\n                        + ")))
                static let appleRoots = try? TrustedRoots(pem: Array(Self.appleRoot.utf8))
                static let googleRoots = try? TrustedRoots(pem: Array(Self.googleRoot.utf8))

                private static let appleRoot = \"""
            \(appleRoot)
                    \"""

                private static let googleRoot = \"""
            \(googleRoot)
                    \"""
            }

            """
    }

    /// The lines of a certificate, indented for a Swift literal.
    private static func pem(_ plan: CertificatePlan) throws -> String {
        String(decoding: try plan.pem(), as: UTF8.self).split(separator: "\n").map { "        \($0)" }
            .joined(separator: "\n")
    }
}
