import Attestation
import AttestedPhones
import Base
import TestSupport
import Testing

/// Android key attestation: what is accepted, and every rule broken once. Each refusal has its own reason.
@Suite struct KeyAttestationTests {
    typealias Stage = KeyAttestationStage
    typealias Row = Refused<Stage>

    private static let usual = Evidence.key(.trustedEnvironment, warning: nil)

    @Test func `an attestation that a phone makes is accepted`() throws {
        for stage in [try Stage.factory(), try Stage.remote()] {
            let verdict = try stage.verdict()
            #expect(verdict == .accepted(Self.usual))
            #expect(verdict.evidence?.provesHardwareKey == true)
        }
    }

    static let acceptedFactory: [Accepted<Stage>] = [
        Accepted("an expired factory key", usual) { for index in 1...2 { $0.chain[index].end = Moment.now - 1 } },
        Accepted("a factory key that is no authority", usual) { $0.chain[1].extensions = [.noAuthority] },
        Accepted("an expired root", usual) { $0.roots[0].end = Moment.now - 1 },
        Accepted("the root that was renewed", usual) {
            $0.roots[0].serial = [9]
            $0.root.end = Moment.now - 1
        },
        Accepted("no root in the chain", usual) { $0.sent = { $0.dropLast() } },
        Accepted("both roots are configured", usual) { $0.roots.append(try Stage.remote().root) },
        Accepted("StrongBox", .key(.strongBox, warning: nil)) {
            ($0.description.attestationLevel, $0.description.keyLevel) = (2, 2)
        },
        Accepted("StrongBox, attested by the TEE", usual) { $0.description.keyLevel = 2 },
        Accepted("a boot hash was unknown to version 2", usual) {
            ($0.description.version, $0.description.keyMintVersion, $0.description.bootHash) = (2, 3, nil)
        },
        Accepted("two of our apps share a user id", usual) {
            $0.apps.append(TrustedAndroidApp(package: "com.example.b", signers: Stage.app.signers))
            $0.description.packages.append("com.example.b")
        },
        Accepted("one of two signers", usual) {
            $0.apps = [TrustedAndroidApp(package: "com.example.app", signers: Stage.app.signers.union([[1]]))]
        },
        Accepted("one package, two builds", usual) {
            $0.apps.insert(TrustedAndroidApp(package: "com.example.app", signers: [[1]]), at: 0)
        },
        Accepted("a status list a second younger than a day", usual) { $0.statusAge = 86_400 },
        Accepted("a status list older than a day", .key(.trustedEnvironment, warning: .old)) { $0.statusAge = 86_401 },
        Accepted("a status list of a week", .key(.trustedEnvironment, warning: .old)) { $0.statusAge = 604_800 },
        Accepted("an old status list, optional", .key(.trustedEnvironment, warning: .tooOld)) {
            ($0.statusAge, $0.requirement) = (604_801, .optional)
        },
        Accepted("no status list, optional", .key(.trustedEnvironment, warning: .missing)) {
            ($0.statusList, $0.requirement) = (nil, .optional)
        },
        Accepted("a status list whose clock is a minute ahead", usual) { $0.statusAge = -60 },
    ]

    @Test(arguments: acceptedFactory)
    func `each allowed variation of a factory key is accepted`(_ row: Accepted<Stage>) throws {
        var stage = try Stage.factory()
        try row.change(&stage)
        #expect(try stage.verdict() == .accepted(row.outcome))
    }

    @Test(arguments: KeyDescription.versions.sorted()) func `every known version is accepted`(_ version: Int) throws {
        var stage = try Stage.remote()
        stage.description.version = version
        #expect(try stage.verdict() == .accepted(Self.usual))
    }

    // MARK: - Certificates

    static let factory: [Row] = [
        Row("a factory certificate from tomorrow", .notYetValid) { $0.chain[2].start = Moment.now + 1 },
        Row("an extended chain", .keyDescriptionInIssuer) { stage in
            // Somebody whose attested key is an authority makes a certificate for another key.
            var parent = stage.chain[0]
            parent.extensions = [.authority]
            Stage.describe(&parent, stage.description)
            var leaf = stage.chain[0]
            (leaf.key, leaf.subject) = (try TestKey(), [("CN", "a fake")])
            (leaf.issuer, leaf.signer) = (parent.subject, parent.key)
            stage.chain = [leaf, parent] + stage.chain.dropFirst()
        },
        Row("an extended chain without the description", .wrongChainLength) { stage in
            var parent = stage.chain[0]
            parent.extensions = [.authority]
            var leaf = stage.chain[0]
            (leaf.key, leaf.subject) = (try TestKey(), [("CN", "a fake")])
            (leaf.issuer, leaf.signer) = (parent.subject, parent.key)
            stage.chain = [leaf, parent] + stage.chain.dropFirst()
        },
        Row("an extended chain without an authority", .wrongChainLength) { stage in
            var leaf = stage.chain[0]
            (leaf.key, leaf.subject) = (try TestKey(), [("CN", "a fake")])
            (leaf.issuer, leaf.signer) = (stage.chain[0].subject, stage.chain[0].key)
            stage.chain = [leaf] + stage.chain
        },
        Row("a chain of two", .wrongChainLength) { stage in
            stage.chain.remove(at: 1)
            (stage.chain[0].issuer, stage.chain[0].signer) = (stage.chain[1].subject, stage.chain[1].key)
        },
        Row("a key that Android made in software", .wrongChainLength) { stage in
            stage.chain.removeSubrange(1...)
            (stage.chain[0].issuer, stage.chain[0].signer) = (stage.root.subject, stage.root.key)
        },
        Row("a revoked intermediate", .revoked) { $0.statusList = Self.list("abc", "REVOKED") },
        Row("a revoked attestation key", .revoked) { $0.statusList = Self.list("def0", "REVOKED") },
        Row("a revoked leaf", .revoked) { $0.statusList = Self.list("1", "REVOKED") },
        Row("a serial number with a zero in front", .revoked) { $0.statusList = Self.list("0DEF0", "REVOKED") },
        Row("a suspended attestation key", .suspended) { $0.statusList = Self.list("def0", "SUSPENDED") },
        Row("a status that Google adds later", .revoked) { $0.statusList = Self.list("def0", "LOST") },
        Row("a revoked key in an old list", .revoked) {
            ($0.statusList, $0.statusAge, $0.requirement) = (Self.list("def0", "REVOKED"), 700_000, .optional)
        },
        Row("a status list older than a week", .statusListTooOld) { $0.statusAge = 604_801 },
        Row("a status list from the future", .statusListTooOld) { $0.statusAge = -61 },
        Row("no status list", .statusListMissing) { $0.statusList = nil },
    ]

    private static func list(_ serialNumber: String, _ status: String) -> String {
        #"{"entries": {"\#(serialNumber)": {"status": "\#(status)", "reason": "KEY_COMPROMISE"}}}"#
    }

    static let remote: [Row] = [
        Row("no certificates", .wrongChainLength) { $0.sent = { _ in [] } },
        Row("six certificates", .wrongChainLength) { $0.sent = { $0 + [$0[0]] } },
        Row("five certificates without a root", .wrongChainLength) { stage in
            var last = stage.chain[3]
            last.subject = [("CN", "one more")]
            (stage.chain[3].issuer, stage.chain[3].signer) = (last.subject, last.key)
            stage.chain.append(last)
            stage.sent = { $0.dropLast() }
        },
        Row("the wrong order", .brokenChain) { $0.sent = { $0.reversed() } },
        Row("a certificate is missing", .brokenChain) { $0.sent = { [$0[0]] + $0.dropFirst(2) } },
        Row("no certificate", .malformedCertificate) { $0.sent = { [[1, 2, 3]] + $0.dropFirst() } },
        Row("a huge certificate", .tooLarge) {
            $0.sent = { [[UInt8](repeating: 0x30, count: 20_000)] + $0.dropFirst() }
        },
        Row("the other root only", .untrustedRoot) { $0.roots = [try Stage.factory().root] },
        Row("a root of the same name", .wrongSignature) {
            $0.roots[0].key = try TestKey(.p384)
            $0.roots[0].signer = $0.roots[0].key
        },
        Row("somebody else signed the leaf", .wrongSignature) { $0.chain[0].signer = try TestKey() },
        Row("somebody else signed an authority", .wrongSignature) { $0.chain[2].signer = try TestKey() },
        Row("an authority that is none", .issuerNotAuthority) { $0.chain[2].extensions = [] },
        Row("a fetched key that is no authority", .issuerNotAuthority) { $0.chain[1].extensions = [] },
        Row("an authority that allows no further one", .issuerNotAuthority) {
            $0.chain[2].extensions = [.lastAuthority]
        },
        Row("a digest of SHA-1", .weakCertificate) { $0.chain[0].digest = .sha1 },
        Row("an authority's digest of SHA-1", .weakCertificate) { $0.chain[2].digest = .sha1 },
        Row("a critical extension", .unknownCriticalExtension) {
            $0.chain[1].extensions.append(
                CertificatePlan.Extension(identifier: "1.2.3.4", isCritical: true, content: DER.null))
        },
        Row("a critical extension of the leaf", .unknownCriticalExtension) {
            $0.chain[0].extensions.append(
                CertificatePlan.Extension(identifier: "1.2.3.4", isCritical: true, content: DER.null))
        },
        Row("an expired fetched key", .expired) { $0.chain[1].end = Moment.now - 1 },
        Row("an expired authority", .expired) { $0.chain[3].end = Moment.now - 1 },
        Row("a fetched key from tomorrow", .notYetValid) { $0.chain[1].start = Moment.now + 1 },
        Row("a key description twice", .malformedCertificate) { $0.descriptionCount = 2 },
        Row("no key description", .keyDescriptionMissing) { $0.descriptionCount = 0 },
        Row("a key description in an authority", .keyDescriptionInIssuer) {
            Stage.describe(&$0.chain[1], $0.description)
        },
        Row("another DPoP key", .wrongKey) { $0.thumbprint = try Stage.thumbprint(of: try TestKey().point) },
        Row("no thumbprint", .wrongKey) { $0.thumbprint = "" },
        Row("a key on P-384", .unsupportedKey) { $0.chain[0].key = try TestKey(.p384) },
        Row("an RSA key", .unsupportedKey) { $0.chain[0].key = try TestKey(.rsa(bits: 2048)) },
    ]

    static let descriptions = KeyDescriptionRows.all

    @Test(arguments: factory) func `each broken rule of a factory key is refused`(_ row: Row) throws {
        var stage = try Stage.factory()
        try row.change(&stage)
        if !stage.chain[0].key.isP256 { stage.thumbprint = "" }
        #expect(try stage.verdict() == .refused(row.outcome))
    }

    @Test(arguments: remote + descriptions) func `each broken rule of a remote key is refused`(_ row: Row) throws {
        var stage = try Stage.remote()
        try row.change(&stage)
        if !stage.chain[0].key.isP256 { stage.thumbprint = "" }
        #expect(try stage.verdict() == .refused(row.outcome))
    }

    /// The root is not among the certificates, because ours takes its place.
    @Test func `every changed byte is refused`() throws {
        var stage = try Stage.remote()
        stage.sent = { $0.dropLast() }
        let (verifier, chain) = (try stage.verifier(), try stage.attestation())
        let thumbprint = try Stage.thumbprint(of: stage.chain[0].key.point)
        var accepted: [String] = []
        for certificate in chain.indices {
            for index in stride(from: 0, to: chain[certificate].count, by: TestTier.hasAllRows ? 1 : 4) {
                var changed = chain
                changed[certificate][index] ^= 1 << UInt8(index % 8)
                let verdict = verifier.verify(
                    changed, challenge: stage.expectedChallenge, thumbprint: thumbprint,
                    at: Timestamp(seconds: stage.time))
                if verdict.refusal == nil { accepted.append("\(certificate): \(index)") }
            }
        }
        #expect(accepted == [])
    }

    /// Every refusal is expected by a row here or in the table of App Attest, and says in a sentence what it is.
    @Test func `every refusal has a row`() {
        let rows = Self.factory + Self.remote + Self.descriptions
        let expected = Set(rows.map(\.outcome)).union(AppAttestTests.all.map(\.outcome))
        #expect(Set(Refusal.allCases).subtracting(expected).map(\.rawValue).sorted() == [])
        #expect(rows.count >= 25 && AppAttestTests.all.count >= 25)
        for refusal in Refusal.allCases {
            #expect(refusal.description.hasSuffix(".") && !refusal.description.contains("\n"))
        }
        #expect(Set(Refusal.allCases.map(\.description)).count == Refusal.allCases.count)
    }
}
