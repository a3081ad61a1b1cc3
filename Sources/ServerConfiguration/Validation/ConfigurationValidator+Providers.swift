// The rules for providers.

import Base
import Brokers
import OpenIDConnect
import StrictJSON

extension ConfigurationValidator {
    /// Two or three short sentences, which a phone shows without scrolling.
    private static let longestNotice = 200

    mutating func check(provider: SettingScope) {
        self.checkBroker(of: provider)
        self.checkNotices(of: provider)
        self.checkFreshness(of: provider)
        self.checkParameters(of: provider)
        self.checkOwners(of: provider)
        self.checkClaims(of: provider)
        self.checkPerson(of: provider)
        self.checkKind(of: provider)
        self.checkFlow(of: provider)
        self.checkDigiD(of: provider)
        if let scope = provider.list("scope"), !scope.contains("openid"), !self.isDigiD(provider) {
            self.report(provider, "scope", "needs openid")
        }
        if provider.text("prompt")?.split(separator: " ").contains("none") == true {
            self.report(provider, "prompt", "must not contain none: the user has to log in")
        }
    }

    private mutating func checkBroker(of provider: SettingScope) {
        let brokers = self.settings.scopes("brokers").map(\.name)
        // Without any broker, the mistake is there.
        guard let broker = provider.text("broker"), !brokers.isEmpty, !brokers.contains(broker) else { return }
        self.report(provider, "broker", "there is no broker \"\(broker)\"\(Self.advice(on: broker, among: brokers))")
    }

    /// Checks texts that stand on a page and that an app shows as they are. A line end is refused already.
    private mutating func checkNotices(of provider: SettingScope) {
        for (language, text) in (provider.names("notices") ?? [:]).sorted(by: { $0.key < $1.key }) {
            if text.count > Self.longestNotice {
                self.report(
                    provider, "notices",
                    "must have at most \(Self.longestNotice) characters, but \"\(language)\" has \(text.count)")
            }
            if let sign = text.first(where: { "<>{}|\u{2028}\u{2029}".contains($0) }) {
                let name = sign.isNewline ? "a line separator" : "\(sign)"
                self.report(
                    provider, "notices",
                    "must be plain text, but \"\(language)\" has \(name): users would see it, because nothing is replaced in a notice"
                )
            }
        }
    }

    /// Returns the end of a message about a name that nothing has: the nearest one, or all of a few.
    static func advice(on name: String, among knownNames: [String]) -> String {
        let nearest = SpellingSuggestion.suggestion(for: name, in: knownNames)
        guard nearest.isEmpty, !knownNames.isEmpty, knownNames.count <= 5 else { return nearest }
        return knownNames.count == 1
            ? "; the only one is \(knownNames[0])" : "; there are \(knownNames.joined(separator: ", "))"
    }

    /// Checks settings that only one kind of broker has, and what that kind requires.
    private mutating func checkKind(of provider: SettingScope) {
        let broker = self.broker(of: provider)
        guard let kind = broker?.brokerKind else { return }
        self.checkOptions(of: provider, kind, \.providerSettings)
        self.add(kind.problems(of: provider), provider, broker)
    }

    /// Checks the settings that only one kind reads: those of `kind`, which it may require, and those of the others.
    mutating func checkOptions(
        of scope: SettingScope, _ kind: Configuration.Broker.Kind,
        _ options: (Configuration.Broker.Kind) -> [KindOption]
    ) {
        for owner in Configuration.Broker.Kind.all {
            for option in options(owner) {
                if owner != kind, option.isRefusedElsewhere, self.isChanged(option, in: scope) {
                    self.report(scope, option.name, "is only for brokers of kind \(owner.rawValue)")
                }
                if owner == kind, option.presence == .required,
                    !self.settings.isGiven(scope.path.appending(option.name))
                {
                    self.report(scope, option.name, "is required for kind \(kind.rawValue)")
                }
                if let limit = option.limit, let text = scope.text(option.name), text.count > limit {
                    self.report(scope, option.name, "must have at most \(limit) characters")
                }
            }
        }
    }

    private func isChanged(_ option: KindOption, in scope: SettingScope) -> Bool {
        switch option.presence {
        case .required, .optional: self.settings.isGiven(scope.path.appending(option.name))
        case .text(let text): scope.text(option.name).map { $0 != text } ?? false
        case .list(let items): scope.list(option.name).map { $0 != items } ?? false
        }
    }

    mutating func add(_ problems: [KindProblem], _ provider: SettingScope?, _ broker: SettingScope?) {
        for problem in problems {
            guard let scope = problem.owner == .provider ? provider : broker else { continue }
            if problem.isWarning {
                self.warn(scope, problem.setting, problem.message)
            } else {
                self.report(scope, problem.setting, problem.message)
            }
        }
    }

    /// A broker that still has a session would log the user in without asking. Then an attacker who sends a login link
    /// to a user gets a login as that user.
    private mutating func checkFreshness(of provider: SettingScope) {
        guard !self.asksForFreshness(provider) else { return }
        let own = provider.release("release").map { ($0, provider) }
        let owners = self.owners(of: provider)
        let rules = own.map { [$0] } ?? owners.compactMap { app in app.release("release").map { ($0, app) } }
        guard let (_, owner) = rules.first(where: { $0.0 == .immediate }) else { return }
        self.report(
            provider, "prompt", "must contain login, or set max_age, because \(owner.path).release is immediate")
    }

    /// Whether the user has to authenticate for each login.
    func asksForFreshness(_ provider: SettingScope) -> Bool {
        if provider.text("prompt")?.split(separator: " ").contains("login") == true { return true }
        // Without a browser the broker has no session.
        return provider.integer("max_age") != nil || self.isDigiD(provider)
            || provider.text("flow") == Provider.Flow.headless.rawValue
    }

    private mutating func checkClaims(of provider: SettingScope) {
        if let text = provider.text("claims_parameter"), (try? JSON(parsing: Array(text.utf8)))?.object == nil {
            self.report(provider, "claims_parameter", "must be a JSON object")
        }
        let (claim, type) = (provider.text("national_id_claim"), provider.text("national_id_type"))
        if claim != nil, type == nil {
            self.report(provider, "national_id_type", "is required for national_id_claim")
        }
        if claim == nil, type != nil {
            self.report(provider, "national_id_claim", "is required for national_id_type")
        }
    }

    /// Such a parameter would be visible in a browser's URL, and without a key anyone could ask about any user.
    private mutating func checkPersonal(_ name: String, of provider: SettingScope) {
        let broker = self.broker(of: provider)
        let style: Client.RequestStyle? = broker?.choice("request_style")
        if let style, !style.isPushed {
            self.report(
                provider, "parameters",
                "\(name) may identify a user, and needs request_style par or par+jar of its broker")
        }
        if !self.owners(of: provider).contains(where: { $0.text("api_key") != nil }) {
            self.report(
                provider, "parameters",
                "\(name) may identify a user, which only an app's backend may do: set api_key of that app")
        }
    }

    private mutating func checkParameters(of provider: SettingScope) {
        for name in provider.list("parameters") ?? [] {
            switch AuthorizeParameter.kind(of: name) {
            case .ours: self.report(provider, "parameters", "\(name) is set by the server. Remove it from the list")
            case .link:
                self.report(
                    provider, "parameters",
                    "\(name) may decide where a login leads, so a caller could redirect it. Remove it from the list")
            case .person: self.checkPersonal(name, of: provider)
            case .malformed:
                self.report(
                    provider, "parameters",
                    "\(name) is not a valid parameter name (RFC 6749 §8.2): use only letters, digits and -._")
            case .plain: break
            }
        }
    }
}

/// The rules for flows that are not a browser's redirect.
extension ConfigurationValidator {
    mutating func checkFlow(of provider: SettingScope) {
        guard let flow: Provider.Flow = provider.choice("flow") else { return }
        let broker = self.broker(of: provider)
        let mode: Client.ResponseMode? = broker?.choice("response_mode")
        if flow != .launchLinks, mode == .json, let broker {
            self.report(
                broker, "response_mode", "json is only for flow launch_links, but \(provider.path) has another flow")
        }
        guard let owner = Configuration.Broker.Kind.owner(of: flow) else { return }
        if let kind = broker?.brokerKind, kind != owner {
            self.report(provider, "flow", "\(flow.rawValue) is only for brokers of kind \(owner.rawValue)")
        }
        self.add(owner.problems(of: provider, with: flow, at: broker), provider, broker)
        if flow.showsNothing { self.needImmediateRelease(provider) }
    }

    /// These flows give the app nothing to show that an attacker who started the login would not have too.
    private mutating func needImmediateRelease(_ provider: SettingScope) {
        let flow = provider.text("flow") ?? ""
        let advice =
            "nothing proves which device the user is on; use flow browser, or set release: immediate and name the provider in apps.*.providers"
        if let own = provider.release("release") {
            guard own != .immediate else { return }
            return self.report(provider, "release", "must be immediate for flow \(flow): \(advice)")
        }
        guard let app = self.owners(of: provider).first(where: { $0.appRelease != .immediate }) else { return }
        self.report(provider, "flow", "\(flow) does not work with the release of \(app.path): \(advice)")
    }
}
