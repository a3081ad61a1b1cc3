/// The operations whose instructions are counted, and the state that each one needs.
enum Operation: String, CaseIterable {
    /// An app starts a login.
    case create
    /// The app polls that login, and nothing has changed.
    case poll
    /// A browser brings the broker's response, the code is exchanged, and the user is identified.
    case callback
    /// The app sends the link that opened it, with the page's proof.
    case reportReturn = "return"
    /// The app asks for a new access token of its session, with a DPoP proof.
    case renewal

    /// Returns a login that is ready for the operation. The preparation does not count.
    func prepared(on server: GuardServer) async throws -> GuardLogin {
        let login = try GuardLogin(server: server, hasSession: self == .renewal)
        switch self {
        case .create: break
        case .poll: try await login.create()
        case .callback:
            try await login.create()
            try await login.open()
        case .reportReturn:
            try await login.create()
            try await login.open()
            try await login.bringAnswer()
            try await login.readPage()
        case .renewal:
            try await login.create()
            try await login.open()
            try await login.bringAnswer()
            try await login.readPage()
            try await login.reportReturn()
            try await login.beginSession()
            // The first renewal notes that the session is used, which the next ones need not.
            try await login.renew()
            try login.makeProof()
        }
        return login
    }

    func run(on login: GuardLogin) async throws {
        switch self {
        case .create: try await login.create()
        case .poll: try await login.poll()
        case .callback: try await login.bringAnswer()
        case .reportReturn: try await login.reportReturn()
        case .renewal: try await login.renew()
        }
    }
}
