import Base
import Logins

/// The e-ID login from which a session began, as access tokens tell of it. It says nothing about who the user is.
struct SessionLogin: Equatable, Sendable {
    let provider: String
    let acr: String?
    let amr: [String]
    let authTime: Timestamp?
    let proof: SameDeviceProof
    /// By our clock.
    let completedAt: Timestamp

    init(
        provider: String, acr: String?, amr: [String], authTime: Timestamp?, proof: SameDeviceProof,
        completedAt: Timestamp
    ) {
        self.provider = provider
        self.acr = acr
        self.amr = amr
        self.authTime = authTime
        self.proof = proof
        self.completedAt = completedAt
    }

    init(_ login: CompletedLogin) {
        self.init(
            provider: login.provider, acr: login.acr, amr: login.amr, authTime: login.authTime, proof: login.proof,
            completedAt: login.completedAt)
    }
}
