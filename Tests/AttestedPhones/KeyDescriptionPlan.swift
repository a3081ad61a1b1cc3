/// A key description that a test makes, right or wrong in every field.
package struct KeyDescriptionPlan: Sendable {
    package typealias Field = (tag: Int, value: [UInt8])

    package var version = 400
    package var attestationLevel = 1
    package var keyMintVersion = 400
    package var keyLevel = 1
    package var challenge = [UInt8](repeating: 7, count: 32)
    package var isLocked: [UInt8] = DER.boolean(true)
    package var bootState = 0
    package var bootHash: [UInt8]? = [UInt8](repeating: 5, count: 32)
    package var origin = 0
    package var packages = ["com.example.app"]
    package var signers = [[UInt8](repeating: 3, count: 32)]
    /// Changes the fields that software enforces.
    package var software: @Sendable ([Field]) -> [Field] = { $0 }
    /// Changes the fields that hardware enforces.
    package var hardware: @Sendable ([Field]) -> [Field] = { $0 }
    /// Changes the app's name.
    package var application: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    /// Changes the whole.
    package var bytes: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    package init() {}

    package func encoded() -> [UInt8] {
        self.bytes(
            DER.sequence(
                DER.integer(self.version), DER.enumerated(self.attestationLevel), DER.integer(self.keyMintVersion),
                DER.enumerated(self.keyLevel), DER.octets(self.challenge), DER.octets([]),
                Self.list(self.software(self.softwareFields)), Self.list(self.hardware(self.hardwareFields))))
    }

    private static func list(_ fields: [Field]) -> [UInt8] {
        DER.value([0x30], fields.flatMap { DER.tagged($0.tag, $0.value) })
    }

    private var softwareFields: [Field] {
        let packages = self.packages.map { DER.sequence(DER.octets(Array($0.utf8)), DER.integer(12)) }
        let application = DER.sequence(DER.set(packages), DER.set(self.signers.map(DER.octets)))
        return [(701, DER.integer(1_800_000_000_000)), (709, DER.octets(self.application(application)))]
    }

    private var hardwareFields: [Field] {
        let root = DER.sequence(
            DER.octets([UInt8](repeating: 6, count: 32)), self.isLocked, DER.enumerated(self.bootState),
            self.bootHash.map(DER.octets) ?? [])
        return [
            (1, DER.set([DER.integer(2)])), (2, DER.integer(3)), (3, DER.integer(256)), (10, DER.integer(1)),
            (503, DER.null), (702, DER.integer(self.origin)), (704, root), (705, DER.integer(160_000)),
            (706, DER.integer(202_511)), (718, DER.integer(20_251_105)), (719, DER.integer(20_251_105)),
        ]
    }
}
