/// A login as it was read or has just been written, with the key of its seals and the rules that it began with.
///
/// A request reads its login once, and passes this on. It is a class so that async functions pass on a reference: their
/// locals lie in memory that is made for each call, and a login is half a kilobyte.
import Brokers

final class LoginSnapshot: Sendable {
    let login: Login
    let key: ServerKey
    let rules: LoginRules

    init(_ login: Login, under key: ServerKey, _ rules: LoginRules) {
        self.login = login
        self.key = key
        self.rules = rules
    }

    /// The same with what a transition has made of the login.
    func with(_ login: Login) -> LoginSnapshot { LoginSnapshot(login, under: self.key, self.rules) }

    var id: LoginID { self.login.id }

    /// Nil where it is not configured any more.
    var provider: KnownProvider? { self.rules.providers[self.login.provider] }

    /// Nil where it is not configured any more.
    var broker: (any Broker)? { self.rules.brokers[self.login.broker] }

    var app: LoginSettings.App? { self.rules.settings.apps[self.login.app] }
}

// MARK: - What is sealed in it

extension LoginSnapshot {
    var flightSeal: FlightSeal { FlightSeal(self.id, under: self.key) }

    /// What the app asked for that is needed later; nil when there is nothing.
    var wishes: AppWishes? {
        self.flightSeal.open(.request, of: [], self.login.request).flatMap { try? AppWishes($0) }
    }

    /// Nil when it does not open.
    func flight(of opening: Opening) -> Flight? { self.flight(of: opening.id, opening.flight) }

    /// The same of an opening whose code is being redeemed.
    func flight(of opening: [UInt8], _ sealed: [UInt8]) -> Flight? {
        self.flightSeal.open(.challenge, of: opening, sealed).flatMap { try? Flight($0) }
    }

    /// The `state` of an opening, as it travels.
    func state(of opening: [UInt8]) -> String {
        StateToken(login: self.id, opening: opening).text(for: self.login.broker, under: self.key)
    }

    /// The system of the phone on which the e-ID's app is to be opened.
    var phone: Visit.Platform? {
        var visit = Visit()
        visit.platform = self.login.platform
        guard visit.platform == .web else { return visit.platform }
        visit.system = self.wishes?.system
        return visit.phone
    }
}
