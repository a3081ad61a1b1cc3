// Derives the settings of each part of the server from the configuration.

import HTTPServer
import JOSE
import KeyFiles
import KeyRing
import Links
import LoginAPI
import Logging
import Logins
import Preflight
import ServerConfiguration
import Telemetry

extension LoginSettings {
    init(_ configuration: Configuration) {
        self.init(publicURL: configuration.publicURL.text)
        self.apps = Dictionary(
            uniqueKeysWithValues: configuration.apps.map { configuredApp in
                var app = LoginSettings.App(
                    releases: configuration.releases(of: configuredApp), returnPrefixes: configuredApp.returnPrefixes,
                    assertion: configuredApp.assertion)
                app.pagePrefix = configuredApp.pagePrefix
                app.provesOverScheme = configuredApp.provesOverScheme
                app.needsThumbprint = configuredApp.needsThumbprint
                app.returnTimeout = configuredApp.returnTimeout
                return (configuredApp.id, app)
            })
        self.lifetime = configuration.loginLifetime
        self.resultTTL = configuration.resultLifetime
        self.noteLifetime = configuration.recorder.keep
        self.pendingLimit = configuration.limits.pendingLogins
    }
}

extension PublicSettings {
    init(_ configuration: Configuration, _ keeper: KeyRingKeeper? = nil) {
        self.init(publicURL: configuration.publicURL.text)
        self.apps = Dictionary(
            uniqueKeysWithValues: configuration.apps.map { configuredApp in
                var app = AppProfile(
                    names: configuredApp.names, returnPrefixes: configuredApp.returnPrefixes,
                    providers: Set(configuration.releases(of: configuredApp).keys), key: configuredApp.apiKey)
                app.isDefault = configuredApp.isDefault
                app.look = AppLook(configuredApp.look)
                return (configuredApp.id, app)
            })
        if let signer = configuration.signer(.assertion, nil, keeper) {
            self.assertions = AssertionSigner(signer, issuer: configuration.publicURL.text)
        }
        self.security = configuration.securityContactsExpire.map {
            SecurityContacts(configuration.securityContacts, expire: $0)
        }
        self.links = AppLinks(configuration)
        self.providers = configuration.providers
        self.sessionLevels = configuration.sessionLevels
        self.sessionPermissions = configuration.sessionPermissions
        self.polling.wait = Int(configuration.poll.wait.components.seconds)
        self.polling.interval = Int(configuration.poll.interval.components.seconds)
        self.rates = RequestLimits.Rates(configuration)
        self.proxy = TrustedProxy(configuration.proxy)
        self.origins = Set(configuration.apps.flatMap(\.origins))
    }
}

extension AppLook {
    fileprivate init(_ look: Configuration.App.Look) {
        func colors(_ accent: PageColor?, on palette: PagePalette) -> Colors? {
            accent.map { accent in
                let colors = AccentColors(accent, on: palette)
                return Colors(
                    button: colors.button.text, ink: colors.ink.text, edge: colors.edge.text, link: colors.link.text,
                    mark: colors.mark.text)
            }
        }
        self.init(
            light: colors(look.accent, on: .light), dark: colors(look.accentDark ?? look.accent, on: .dark),
            radius: look.radius, font: look.font.map { File("font", $0.bytes, ending: "woff2") },
            logo: look.logo.map { Self.file("logo", $0) }, logoDark: look.logoDark.map { Self.file("logo", $0) },
            icon: look.icon.map { Self.file("icon", $0) }, supportURL: look.supportURL)
        self.showsName = look.showsName
    }

    private static func file(_ stem: String, _ logo: LogoFile) -> File {
        File(stem, logo.bytes, ending: logo.format.rawValue)
    }
}

extension RequestLimits.Rates {
    init(_ configuration: Configuration) {
        self.init()
        self.createPerAddress = Rate(perMinute: configuration.limits.createPerAddressPerMinute ?? 0)
        self.createPerApp = Rate(perMinute: configuration.limits.createPerAppPerMinute ?? 0)
        self.brokerCallsPerAddress = Rate(perMinute: configuration.limits.brokerCallsPerAddressPerMinute ?? 0)
        self.poll = Rate(burst: 5, interval: configuration.poll.interval)
    }
}

extension TrustedProxy {
    init(_ proxy: SettingValues<ProxySettings>) {
        let header: Header?
        switch proxy.header {
        // With the PROXY protocol, the client's address comes before the requests and not in a header.
        case .none, .proxy: header = nil
        case .xForwardedFor: header = .xForwardedFor
        case .forwarded: header = .forwarded
        }
        self.init(header, peers: proxy.trusted)
    }
}

extension ServerLimits {
    /// The limits of the operations port, which must always respond.
    static let operations: ServerLimits = {
        var limits = ServerLimits()
        limits.refusals = 4
        limits.connections = DescriptorBudget.operations - limits.refusals
        limits.keepsSpareDescriptor = true
        return limits
    }()

    init(_ configuration: Configuration, _ budget: DescriptorBudget) {
        self = configuration.limits.filled()
        self.connections = budget.connections
        self.refusals = budget.refusals
        // All connections of a proxy have its address, unless the PROXY protocol tells the client's address for each of
        // them.
        switch configuration.proxy.header {
        case .none, .proxy: self.connectionsPerAddress = configuration.limits.connectionsPerAddress
        case .xForwardedFor, .forwarded: self.connectionsPerAddress = nil
        }
    }
}

extension DiscoveryDocument {
    init(_ configuration: Configuration) {
        var algorithms: [SignatureAlgorithm] = []
        for algorithm in configuration.assertionKeys.compactMap(\.usualAlgorithm)
        where !algorithms.contains(algorithm) { algorithms.append(algorithm) }
        self.init(issuer: configuration.publicURL.text, algorithms: algorithms)
        let terms = configuration.apps.map(\.assertion)
        self.claims = Set(terms.flatMap(\.claims))
        if terms.contains(where: { $0.encrypter != nil }) {
            self.encryption = Encryption(
                algorithms: RecipientKeyFile.algorithmNames, contents: [RecipientKeyFile.encryption.rawValue])
        }
    }
}

extension LogWriter {
    /// Writes the server's log to standard error.
    package convenience init(_ log: SettingValues<LogSettings>) {
        self.init(shape: LogOutput.shape(log.format, isTerminal: LogOutput.isTerminal))
    }
}

extension LogOutput {
    /// The form of the log's lines, also if the configuration has problems.
    package static func shape(of loader: ConfigurationLoader) -> LineLogHandler.Shape {
        let format = LogSettings.declared.format
        let entries = format.row.pattern.paths([:]).compactMap { loader.settings.entry($0) }
        return Self.shape(entries.first.flatMap { format.value($0.value) } ?? .auto, isTerminal: Self.isTerminal)
    }

    static func shape(_ format: LogSettings.Format, isTerminal: Bool) -> LineLogHandler.Shape {
        switch format {
        case .text: .text
        case .json: .json
        case .auto: isTerminal ? .text : .json
        }
    }
}

extension Configuration {
    /// Logs each provider that is switched off, at the start or by this change of the configuration, and each that is on
    /// again.
    func logProviders(_ logger: Logger, after former: Configuration? = nil) {
        let formerlyOff = Set((former?.providers ?? []).filter { !$0.isEnabled }.map(\.id))
        for provider in self.providers where provider.isEnabled == formerlyOff.contains(provider.id) {
            if provider.isEnabled {
                logger.notice("configuration_provider_on", metadata: ["provider": "\(provider.id)"])
            } else {
                logger.notice("configuration_provider_off", metadata: ["provider": "\(provider.id)"])
            }
        }
    }
}

extension Logger {
    /// Logs a warning about a configuration that is accepted but should be reviewed.
    package func log(_ warning: Diagnostic) {
        self.warning("configuration_warning", metadata: ["reason": "\(warning)"])
    }

    /// Says why the server does not start.
    package func logFailedStart(_ reason: String) { self.critical("start_failed", metadata: ["reason": "\(reason)"]) }
}
