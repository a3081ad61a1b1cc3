// The rules for attestations: what they need, and how old Google's list may be.

import Attestation
import Base

extension ConfigurationValidator {
    private static let statusURL = "https://android.googleapis.com/attestation/status"

    mutating func checkAttestation() {
        for app in self.settings.scopes("apps") { self.checkAttestation(of: app) }
        self.checkStatusList()
    }

    private mutating func checkAttestation(of app: SettingScope) {
        let environments = app.list("ios.app_attest_environments")
        if environments?.isEmpty == true {
            self.report(app, "ios.app_attest_environments", "must name at least one environment")
        }
        guard let requirement = app.attestation, app.isAttested else { return }
        if let level = app.session, level <= .access {
            return self.report(
                app, "attestation",
                "has no effect while session is \(level.rawValue): only sessions of level refresh or unlock are attested. Remove it, or raise session"
            )
        }
        let (isOnIOS, isOnAndroid) = (app.list("ios.app_ids")?.isEmpty == false, !app.androidPackages.isEmpty)
        if !isOnIOS, !isOnAndroid {
            self.report(
                app, "attestation", "needs ios.app_ids or android, which say which apps are genuine. Add them")
        }
        if isOnIOS, environments?.contains(AppAttestEnvironment.development.rawValue) == true {
            self.warn(
                app, "ios.app_attest_environments",
                "lets apps in that Xcode installed. Remove development on a server for real users")
        }
        let list = self.statusListPath
        guard isOnAndroid, !self.settings.isGiven(list) else { return }
        let message =
            "is missing, and without it nobody learns that the attestation keys of a phone have leaked. Download \(Self.statusURL) every few hours, and name the file"
        if requirement == .required {
            self.report(list, message)
        } else {
            self.warn(list, message)
        }
    }

    private var statusListPath: SettingPath { SettingReader<AttestationSettings>(self.settings).path(\.statusList) }

    /// An old list is no error, because phones of Apple log in and sessions continue without it.
    private mutating func checkStatusList() {
        guard let list = self.files.attestation.statusList else { return }
        switch list.age(at: self.files.now) {
        case .fresh: return
        case .old:
            self.warn(self.statusListPath, "is older than a day. Download \(Self.statusURL) again")
        case .tooOld:
            let app = self.settings.scopes("apps").first { $0.attestation == .required && !$0.androidPackages.isEmpty }
            let effect = app.map { ", so no Android phone can begin a session of \($0.path)" } ?? ""
            self.warn(
                self.statusListPath,
                "is older than a week, or dated in the future\(effect). Download \(Self.statusURL) again")
        }
    }
}

extension SettingScope {
    /// Whether an app's sessions need an attestation; nil if the value was refused.
    var attestation: AttestationRequirement? { self.choice("attestation") }

    /// Whether nothing that phones state is looked at.
    var isUnattested: Bool { self.attestation.map { $0 == .none } ?? false }
    var isAttested: Bool { self.attestation.map { $0 != .none } ?? false }
}
