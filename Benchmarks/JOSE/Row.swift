/// One line of the result: something of ours, the bare signature in it, and how close the two should be.

final class Row {
    let name: String
    /// Our rate should be at least this part of the bare one.
    let aim: Double
    private var ours: Work
    private var bare: Work
    private let speed: KeyPath<OpenSSLSpeed, Double>

    init(_ name: String, aim: Double, speed: KeyPath<OpenSSLSpeed, Double>, ours: Work, bare: Work) {
        self.name = name
        self.aim = aim
        self.speed = speed
        self.ours = ours
        self.bare = bare
    }

    func measured(beside speed: OpenSSLSpeed) async throws -> Rates {
        let (ours, bare) = try await Work.rates(&self.ours, &self.bare)
        return Rates(ours: ours, bare: bare, speed: speed[keyPath: self.speed])
    }
}

/// How often something can be done in a second of CPU time.
struct Rates {
    let ours: Double
    /// By libcrypto in this process.
    let bare: Double
    /// By the command `openssl speed`. It has no PSS: what it says of RSA is PKCS #1.
    let speed: Double
}
