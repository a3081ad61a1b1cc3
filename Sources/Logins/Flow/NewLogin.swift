/// A login on its way into the store, and what it is made under.
///
/// A class, so that the async function that sees to it keeps a reference: its locals lie in memory that is made for each
/// call, and a login is half a kilobyte, copied there several times.
import Base

final class NewLogin: Sendable {
    let login: Login
    let key: ServerKey
    let provider: KnownProvider
    let rules: LoginRules
    /// The opening that the create itself makes, where it does.
    let made: LoginFlow.Made?

    init(
        _ login: Login, under key: ServerKey, _ provider: KnownProvider, _ rules: LoginRules,
        made: LoginFlow.Made? = nil
    ) {
        self.login = login
        self.key = key
        self.provider = provider
        self.rules = rules
        self.made = made
    }

    /// The same login with its opening.
    func opened(_ made: LoginFlow.Made, at now: Timestamp) -> NewLogin {
        var login = self.login
        _ = login.open(made.opening, at: now)
        return NewLogin(login, under: self.key, self.provider, self.rules, made: made)
    }
}
