import SwitchbackClient

/// The result of a login that has completed. It comes again until it is acknowledged, also after the app was killed.
public struct CompletedLogin: Sendable {
    /// The login as the server reported it.
    public let login: Login
    let session: LoginSession

    /// It says who logged in.
    public var identity: Identity? { self.login.identity }
    /// A signed JWT for your own API, valid for five minutes.
    public var assertion: Secret? { self.login.assertion }
    /// Eight letters and digits that the user can read out to support. They are not secret.
    public var reference: String { self.login.reference }

    /// Says that the app has what it needs, so that the server may delete the result. `begin` of a session says it
    /// too.
    public func acknowledge() { self.session.acknowledge() }
}

extension CompletedLogin: Equatable {
    /// Whether both are the same result of the same login, with the same assertion.
    public static func == (one: CompletedLogin, other: CompletedLogin) -> Bool {
        one.session.id == other.session.id && one.login == other.login
    }
}
