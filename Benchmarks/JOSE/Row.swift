/// One line of the result: our operation, the bare signature in it, and how close their rates should be.
final class Row {
    let name: String
    /// Our rate should be at least this fraction of the bare rate.
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

/// How often something can be done per second of CPU time.
struct Rates {
    let ours: Double
    /// The rate of libcrypto in this process.
    let bare: Double
    /// The rate of the command `openssl speed`. It has no PSS, so its RSA figure is for PKCS #1.
    let speed: Double
}
