import Brokers

/// A login as it was read or written last, with its server key and the configuration that it began with.
///
/// A request reads its login once and passes this object on. It is a class because a login is half a kilobyte, and
/// async functions allocate memory for their locals at each call.
final class LoginSnapshot: Sendable {
    let login: Login
    let key: ServerKey
    let configuration: LoginConfiguration
    /// Nil if the provider is no longer configured.
    let provider: KnownProvider?
    private let knownApp: KnownApp?

    convenience init(_ login: Login, under key: ServerKey, _ configuration: LoginConfiguration) {
        self.init(
            login, under: key, configuration, provider: configuration.providers[login.provider],
            app: configuration.apps[login.app])
    }

    init(
        _ login: Login, under key: ServerKey, _ configuration: LoginConfiguration, provider: KnownProvider?,
        app: KnownApp?
    ) {
        self.login = login
        self.key = key
        self.configuration = configuration
        self.provider = provider
        self.knownApp = app
    }

    /// Returns a copy with the changed login. Its app and its provider never change.
    func with(_ login: Login) -> LoginSnapshot {
        LoginSnapshot(login, under: self.key, self.configuration, provider: self.provider, app: self.knownApp)
    }

    var id: LoginID { self.login.id }

    /// Nil if the broker is no longer configured.
    var broker: (any Broker)? { self.configuration.brokers[self.login.broker] }

    /// Nil if the app is no longer configured.
    var app: LoginSettings.App? { self.knownApp?.settings }

    /// How long the result waits for a proof, unless the page asks for more time.
    var returnTimeout: Duration { self.app?.returnTimeout ?? Login.returnTimeout }
}

// MARK: - Encrypted fields

extension LoginSnapshot {
    var inFlightSeal: InFlightSeal { InFlightSeal(self.id, under: self.key) }

    /// The create request, as far as the row keeps it. Nil if nothing in it is unusual.
    var options: LoginRequest? {
        guard !self.login.request.isEmpty else { return nil }
        return self.inFlightSeal.open(.request, of: [], self.login.request).flatMap {
            try? LoginRequest(of: self.login, stored: $0)
        }
    }

    /// Decrypts the in-flight values of an authorization attempt. Nil if they do not decrypt.
    func inFlight(of attempt: AuthorizationAttempt) -> InFlightValues? {
        self.inFlight(of: attempt.id, attempt.inFlight)
    }

    /// Decrypts the in-flight values of an authorization attempt whose code is being redeemed.
    func inFlight(of attempt: [UInt8], _ sealed: [UInt8]) -> InFlightValues? {
        self.inFlightSeal.open(.challenge, of: attempt, sealed).flatMap { try? InFlightValues($0) }
    }

    /// The `state` of an authorization attempt, as it is sent.
    func state(of attempt: [UInt8]) -> String {
        StateToken(login: self.id, attempt: attempt).text(for: self.login.broker, under: self.key)
    }

    /// The operating system of the phone on which the e-ID's app opens.
    var phone: AuthorizationContext.Platform? {
        var context = AuthorizationContext()
        context.platform = self.login.platform
        guard context.platform == .web else { return context.platform }
        context.system = self.options?.os
        return context.phone
    }
}
