import Base
import Cryptography

/// The parts of an animated BankID QR code (BankID RP API v6, "QR code").
struct QRStart: Sendable {
    private let token = BankIDLinks.token()
    private let secret = Secret(RandomBytes.make(16))
    private let began: Timestamp

    init(at now: Timestamp) { self.began = now }

    /// Returns the code's text, which changes every second.
    func data(at now: Timestamp) -> String {
        let time = String(max(0, (now - self.began).components.seconds))
        let digits = Array("0123456789abcdef")
        let code = HMAC.code(Array(time.utf8), key: self.secret).flatMap {
            [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
        }
        return "bankid.\(self.token).\(time).\(String(code))"
    }
}
