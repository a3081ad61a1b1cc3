// A hash by which a login recognises an authorization response.

import Brokers

extension AuthorizationResult {
    /// Returns an HMAC that recognises this response when it arrives again.
    func trace(of id: LoginID, _ key: ServerKey) -> [UInt8] {
        switch self {
        case .granted(let code): key.trace(of: "code", code.exposed, id: id)
        case .denied(let failure): key.trace(of: "error", Array(failure.detail.utf8), id: id)
        case .landed: key.trace(of: "landing", [], id: id)
        }
    }
}
