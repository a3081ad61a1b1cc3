/// What relying party and provider must have agreed on, so that a fault can take effect.
enum FaultNeed: CaseIterable, Sendable {
    /// The response is a JWT (JARM).
    case signedResponse
    case encryptedIDToken
    /// Userinfo is a JWT, signed or also encrypted.
    case signedUserinfo
    case encryptedUserinfo
    /// The request names an `acr`.
    case contextClass
    /// The request demands that the user logs in now.
    case freshLogin

    fileprivate func isMet(by request: SandboxAuthorizationRequest) -> Bool {
        switch self {
        case .signedResponse: request.address.mode.isJWT
        case .encryptedIDToken: request.client.idTokenEncryption != nil
        case .signedUserinfo: !request.client.userinfo.isJSON
        case .encryptedUserinfo: request.client.userinfo.isEncrypted
        case .contextClass: !request.contextClasses.isEmpty
        case .freshLogin: request.demandsFreshLogin
        }
    }
}

extension SandboxAuthorizationRequest {
    /// All needs that it meets.
    var metNeeds: Set<FaultNeed> { Set(FaultNeed.allCases.filter { $0.isMet(by: self) }) }
}

extension SandboxClient.Userinfo {
    fileprivate var isJSON: Bool { if case .json = self { true } else { false } }
    fileprivate var isEncrypted: Bool { if case .encrypted = self { true } else { false } }
}
