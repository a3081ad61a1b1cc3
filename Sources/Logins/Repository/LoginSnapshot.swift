/// A login as it was read or written last, with its server key and the configuration that it began with.
///
/// A request reads its login once and passes this object on. It is a class because a login is half a kilobyte, and
/// async functions allocate memory for their locals at each call.
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

    /// Returns a copy with the changed login.
    func with(_ login: Login) -> LoginSnapshot { LoginSnapshot(login, under: self.key, self.rules) }

    var id: LoginID { self.login.id }

    /// Nil if the provider is no longer configured.
    var provider: KnownProvider? { self.rules.providers[self.login.provider] }

    /// Nil if the broker is no longer configured.
    var broker: (any Broker)? { self.rules.brokers[self.login.broker] }

    var app: LoginSettings.App? { self.rules.settings.apps[self.login.app] }
}

// MARK: - Encrypted fields

extension LoginSnapshot {
    var flightSeal: FlightSeal { FlightSeal(self.id, under: self.key) }

    /// The parameters of the create request that we need later. Nil if there are none.
    var wishes: AppWishes? {
        self.flightSeal.open(.request, of: [], self.login.request).flatMap { try? AppWishes($0) }
    }

    /// Decrypts the in-flight values of an authorization attempt. Nil if they do not decrypt.
    func flight(of opening: Opening) -> Flight? { self.flight(of: opening.id, opening.flight) }

    /// Decrypts the in-flight values of an authorization attempt whose code is being redeemed.
    func flight(of opening: [UInt8], _ sealed: [UInt8]) -> Flight? {
        self.flightSeal.open(.challenge, of: opening, sealed).flatMap { try? Flight($0) }
    }

    /// The `state` of an authorization attempt, as it is sent.
    func state(of opening: [UInt8]) -> String {
        StateToken(login: self.id, opening: opening).text(for: self.login.broker, under: self.key)
    }

    /// The operating system of the phone on which the e-ID's app opens.
    var phone: Visit.Platform? {
        var visit = Visit()
        visit.platform = self.login.platform
        guard visit.platform == .web else { return visit.platform }
        visit.system = self.wishes?.system
        return visit.phone
    }
}
