// An authorization result as a login stores it: with the code encrypted, and with a hash that recognises the response.

import Brokers

extension AuthorizationResult {
    func sealed(for attempt: [UInt8], _ seal: InFlightSeal) -> SealedAuthorizationResult {
        switch self {
        case .granted(let code): .granted(code: seal.seal(.code, of: attempt, code.exposed))
        case .denied(let failure): .denied(failure.reason)
        case .landed: .landed
        }
    }

    /// Returns an HMAC that recognises this response when it arrives again.
    func trace(of id: LoginID, _ key: ServerKey) -> [UInt8] {
        switch self {
        case .granted(let code): key.trace(of: "code", code.exposed, id: id)
        case .denied(let failure): key.trace(of: "error", Array(failure.detail.utf8), id: id)
        case .landed: key.trace(of: "landing", [], id: id)
        }
    }
}
