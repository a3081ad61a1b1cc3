// The rules for keys that rotate themselves.

import Base
import KeyFiles
import KeyRing

extension ConfigurationValidator {
    mutating func checkKeyRing() {
        let keys = self.settings.server.keys
        let automatic = keys.automatic ?? []
        guard !automatic.isEmpty else {
            if self.settings.isGiven(keys.path(\.trustedSince)) {
                self.warn(keys.path(\.trustedSince), "has no effect without keys.automatic")
            }
            return
        }
        for use in automatic where !RingPolicy.uses.contains(use) {
            self.report(
                keys.path(\.automatic),
                "\(use.setting) cannot rotate itself: it stays a list of files, which `switchback keys rotate \(use.rawValue)` rotates"
            )
        }
        for use in automatic where RingPolicy.uses.contains(use) && self.settings.scopes(use.setting).isEmpty {
            self.report(
                keys.path(\.automatic),
                "\(use.setting) must list a key too, which signs while no automatic key can. Make one with `switchback keys generate \(use.rawValue)`"
            )
        }
        if let rotateEvery = keys.rotateEvery, let publishFor = keys.publishFor, publishFor * 3 > rotateEvery {
            self.report(
                keys.path(\.publishFor),
                "must be at most a third of keys.rotate_every, which is \(rotateEvery.components.seconds)")
        }
        if let trustedSince = keys.trustedSince, trustedSince > self.files.now + .seconds(60) {
            self.report(keys.path(\.trustedSince), "is in the future. Write the present time in UTC")
        }
        guard self.settings.server.store == .postgresql else { return }
        for name in ["postgresql.wake", "postgresql.listen_url"] {
            let entry = self.settings.entry(SettingPath(name))
            let isPoll = entry?.value.map { $0 == .text("poll") } ?? false
            if name == "postgresql.wake" ? isPoll : self.settings.isGiven(SettingPath(name)) {
                self.report(
                    SettingPath(name),
                    "does not go with keys.automatic: servers see each other only in sessions of their own. Connect without a pooler"
                )
            }
        }
    }
}
