/// The operations whose instructions are counted, and what has to be true before each.

enum Operation: String, CaseIterable {
    /// An app starts a login.
    case create
    /// It asks how that login stands, and nothing has changed.
    case poll
    /// A browser brings the broker's answer, the code is redeemed, and the person is known.
    case callback
    /// The app hands in the link that opened it, with the proof of the page.
    case comeBack = "return"

    /// A login that the operation can be done to, which does not count.
    func prepared(on server: GuardServer) async throws -> GuardLogin {
        let login = GuardLogin(server: server)
        switch self {
        case .create: break
        case .poll: try await login.create()
        case .callback:
            try await login.create()
            try await login.open()
        case .comeBack:
            try await login.create()
            try await login.open()
            try await login.bringAnswer()
            try await login.readPage()
        }
        return login
    }

    func run(on login: GuardLogin) async throws {
        switch self {
        case .create: try await login.create()
        case .poll: try await login.poll()
        case .callback: try await login.bringAnswer()
        case .comeBack: try await login.comeBack()
        }
    }
}
