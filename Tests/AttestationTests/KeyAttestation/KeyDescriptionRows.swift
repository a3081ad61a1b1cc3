import Attestation
import AttestedPhones

/// Key descriptions that are refused.
enum KeyDescriptionRows {
    typealias Row = Refused<KeyAttestationStage>

    static let all = meanings + forms

    static let meanings: [Row] = [
        Row("another login", .wrongChallenge) { $0.description.challenge[0] = 0 },
        Row("an empty challenge", .wrongChallenge) { $0.description.challenge = [] },
        Row("a longer challenge", .wrongChallenge) { $0.description.challenge.append(0) },
        Row("attested by software", .attestedBySoftware) { $0.description.attestationLevel = 0 },
        Row("kept by software", .keyInSoftware) { $0.description.keyLevel = 0 },
        Row("a key for all apps", .keyForAllApps) { $0.description.hardware = Self.adding(600, DER.null) },
        Row("a key for all apps, says software", .keyForAllApps) {
            $0.description.software = Self.adding(600, DER.null)
        },
        Row("no origin", .originMissing) { $0.description.hardware = Self.removing(702) },
        Row("an origin that only software states", .originMissing) {
            $0.description.hardware = Self.removing(702)
            $0.description.software = Self.adding(702, DER.integer(0))
        },
        Row("an imported key", .notGenerated) { $0.description.origin = 2 },
        Row("a derived key", .notGenerated) { $0.description.origin = 1 },
        Row("a securely imported key", .notGenerated) { $0.description.origin = 4 },
        Row("no root of trust", .rootOfTrustMissing) { $0.description.hardware = Self.removing(704) },
        Row("a root of trust that only software states", .rootOfTrustMissing) {
            $0.description.hardware = Self.removing(704)
            $0.description.software = Self.adding(
                704, DER.sequence(DER.octets([]), DER.boolean(true), DER.enumerated(0)))
        },
        Row("an unlocked phone", .deviceUnlocked) { $0.description.isLocked = DER.boolean(false) },
        Row("a system that its owner signed", .bootNotVerified) { $0.description.bootState = 1 },
        Row("a system that nobody signed", .bootNotVerified) { $0.description.bootState = 2 },
        Row("a system whose signature is wrong", .bootNotVerified) { $0.description.bootState = 3 },
        Row("no app", .applicationIDMissing) { $0.description.software = Self.removing(709) },
        Row("another package", .wrongPackage) { $0.description.packages = ["com.example.other"] },
        Row("a package that begins the same", .wrongPackage) { $0.description.packages = ["com.example.app2"] },
        Row("somebody's package shares the user id", .wrongPackage) { $0.description.packages.append("org.other") },
        Row("no package is configured", .wrongPackage) { $0.apps = [] },
        Row("no package", .wrongPackage) { $0.description.packages = [] },
        Row("no signer", .wrongSigner) { $0.description.signers = [] },
        Row("another signer", .wrongSigner) { $0.description.signers = [[UInt8](repeating: 4, count: 32)] },
        Row("another signer besides ours", .wrongSigner) {
            $0.description.signers.append([UInt8](repeating: 4, count: 32))
        },
        Row("the signer of another package of ours", .wrongSigner) {
            $0.apps.append(TrustedAndroidApp(package: "com.example.b", signers: [[4]]))
            $0.description.signers = [[4]]
        },
    ]

    static let forms: [Row] = [
        Row("a version before the first", .unsupportedVersion) { $0.description.version = 0 },
        Row("a version of tomorrow", .unsupportedVersion) { $0.description.version = 600 },
        Row("an unknown authorization", .unknownAuthorization) {
            $0.description.hardware = Self.adding(730, DER.null)
        },
        Row("an unknown authorization by software", .unknownAuthorization) {
            $0.description.software = Self.adding(9, DER.null)
        },
        Row("no bytes", .malformedKeyDescription) { $0.description.bytes = { _ in [] } },
        Row("a byte is missing", .malformedKeyDescription) { $0.description.bytes = { $0.dropLast() } },
        Row("a byte too many", .malformedKeyDescription) { $0.description.bytes = { $0 + [0] } },
        Row("the length of BER", .malformedKeyDescription) {
            $0.description.bytes = { [0x30, 0x80] + $0.dropFirst(4) + [0, 0] }
        },
        Row("a length with a zero in front", .malformedKeyDescription) {
            $0.description.bytes = { [0x30, 0x83, 0] + $0.dropFirst(2) }
        },
        Row("a security level of tomorrow", .malformedKeyDescription) { $0.description.attestationLevel = 3 },
        Row("a boot state of tomorrow", .malformedKeyDescription) { $0.description.bootState = 4 },
        Row("a boolean that is not DER", .malformedKeyDescription) { $0.description.isLocked = [1, 1, 1] },
        Row("a boolean without a byte", .malformedKeyDescription) { $0.description.isLocked = [1, 0] },
        Row("authorizations in another order", .malformedKeyDescription) {
            $0.description.hardware = { $0.reversed() }
        },
        Row("an authorization twice", .malformedKeyDescription) {
            $0.description.hardware = { $0.flatMap { [$0, $0] } }
        },
        Row("an origin that is no number", .malformedKeyDescription) {
            $0.description.hardware = Self.replacing(702, DER.null)
        },
        Row("a negative origin", .malformedKeyDescription) {
            $0.description.hardware = Self.replacing(702, [2, 1, 0x80])
        },
        Row("two numbers as origin", .malformedKeyDescription) {
            $0.description.hardware = Self.replacing(702, DER.integer(0) + DER.integer(2))
        },
        Row("an origin with a zero in front", .malformedKeyDescription) {
            $0.description.hardware = Self.replacing(702, [2, 2, 0, 0])
        },
        Row("an authorization without a value", .malformedKeyDescription) {
            $0.description.hardware = Self.replacing(705, [])
        },
        Row("a root of trust with a fifth field", .malformedKeyDescription) {
            $0.description.bootHash = nil
            $0.description.hardware = Self.replacing(
                704,
                DER.sequence(
                    DER.octets([]), DER.boolean(true), DER.enumerated(0), DER.octets([]), DER.octets([])))
        },
        Row("an app that is not encoded", .malformedApplicationID) { $0.description.application = { _ in [1, 2, 3] } },
        Row("seventeen signers", .malformedApplicationID) {
            $0.description.signers = [[UInt8]](repeating: [UInt8](repeating: 3, count: 32), count: 17)
        },
        Row("seventeen packages", .malformedApplicationID) {
            $0.description.packages = [String](repeating: "com.example.app", count: 17)
        },
        Row("a byte after the app", .malformedApplicationID) { $0.description.application = { $0 + [0] } },
        Row("a package that is not UTF-8", .malformedApplicationID) {
            $0.description.application = { _ in
                DER.sequence(
                    DER.set([DER.sequence(DER.octets([0xFF]), DER.integer(1))]),
                    DER.set([DER.octets([UInt8](repeating: 3, count: 32))]))
            }
        },
    ]

    private typealias Change = @Sendable ([KeyDescriptionPlan.Field]) -> [KeyDescriptionPlan.Field]

    private static func adding(_ tag: Int, _ value: [UInt8]) -> Change {
        { ($0 + [(tag, value)]).sorted { $0.tag < $1.tag } }
    }

    private static func removing(_ tag: Int) -> Change { { $0.filter { $0.tag != tag } } }

    private static func replacing(_ tag: Int, _ value: [UInt8]) -> Change {
        { $0.map { $0.tag == tag ? (tag, value) : $0 } }
    }
}
