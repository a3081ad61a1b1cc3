// The rules for the third-party apps that a resolver of kind digid may open.

import Base
import Brokers
import OpenIDConnect

extension ConfigurationValidator {
    mutating func checkThirdPartyApps(of broker: SettingScope) {
        guard let links = broker.list("app_links"), !links.isEmpty else {
            for name in self.changedThirdPartySettings(of: broker) {
                self.report(broker, name, "has no effect without app_links")
            }
            return
        }
        if self.settings.isGiven(broker.path.appending("entity_id")) {
            self.report(
                broker, "app_links",
                "has no effect with entity_id, with which this server opens DigiD's app itself. Remove one of them")
        }
        for link in links.compactMap({ EndpointURL($0) }) { self.check(link, of: broker) }
        self.checkArtifactParameter(of: broker)
        if self.isUnproven(broker) {
            self.warn(
                broker, "artifact_proof",
                "is none, so a login can be completed with an artifact of somebody else, and a link can log a user into another account. Use callback_link if the app signs which request it answers, and otherwise believe no login of this broker that matters"
            )
        }
    }

    /// Those that are not what they are by default.
    private func changedThirdPartySettings(of broker: SettingScope) -> [String] {
        let changedSettings = [
            ("app_links", broker.list("app_links")?.isEmpty == false),
            (
                "artifact_parameter",
                broker.text("artifact_parameter").map { $0 != ThirdPartyApps.usualParameter } ?? false
            ),
            ("artifact_proof", broker.text("artifact_proof") == ThirdPartyApps.Proof.unproven.rawValue),
        ]
        return changedSettings.filter(\.1).map(\.0)
    }

    private mutating func check(_ link: EndpointURL, of broker: SettingScope) {
        if link.scheme == .http, !self.allowsInsecureURLs,
            !link.isLoopback || broker.boolean("allow_insecure_loopback") != true
        {
            return self.report(
                broker, "app_links", "\(link.text) must be https; http to loopback needs allow_insecure_loopback: true")
        }
        if !link.isLoopback, !link.host.contains(".") {
            self.report(broker, "app_links", "\(link.text) must name the whole host of an app")
        }
        if let own = broker.url("app_link"), own.origin == link.origin,
            own.path == link.path || own.path.hasPrefix(link.path.hasSuffix("/") ? link.path : link.path + "/")
        {
            self.report(
                broker, "app_links", "\(link.text) contains app_link, whose links have rules of their own. Remove it")
        }
        for name in ["public_url", "link_url"]
        where self.settings.top.url(name)?.host == link.host && !link.isLoopback && !self.allowsInsecureURLs {
            self.report(
                broker, "app_links",
                "\(link.text) is on the host of \(name), and a link to it opens no other app. Remove it")
        }
    }

    private mutating func checkArtifactParameter(of broker: SettingScope) {
        guard let name = broker.text("artifact_parameter") else { return }
        if ThirdPartyApps.reserved.contains(name) {
            self.report(
                broker, "artifact_parameter",
                "must not be \(name), which has another meaning in links to the app. Ask for another name")
        } else if AuthorizeParameter.kind(of: name) == .malformed {
            self.report(
                broker, "artifact_parameter",
                "\(name) is not a valid parameter name (RFC 6749 §8.2): use only letters, digits and -._")
        }
    }

    /// Whether a return to the app may prove nothing.
    private func isUnproven(_ broker: SettingScope) -> Bool {
        broker.list("app_links")?.isEmpty == false
            && broker.text("artifact_proof") == ThirdPartyApps.Proof.unproven.rawValue
    }

    /// Checks that no release waits for a proof that cannot come. Returns whether there can be none.
    mutating func checkUnprovenRelease(of provider: SettingScope) -> Bool {
        guard let broker = self.broker(of: provider), self.isUnproven(broker) else { return false }
        let advice =
            "nothing proves which device the user is on, because \(broker.path).artifact_proof is none. Set release: immediate of the provider, and name it in apps.*.providers"
        if let own = provider.release("release") {
            if own != .immediate { self.report(provider, "release", "must be immediate: \(advice)") }
        } else if let app = self.owners(of: provider).first(where: { $0.appRelease != .immediate }) {
            self.report(provider, "broker", "does not work with the release of \(app.path): \(advice)")
        }
        return true
    }
}
