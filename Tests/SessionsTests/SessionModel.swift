import Base

@testable import Sessions

/// A login that completed, as a phone knows it.
struct ModelLogin {
    let user: String
    let completedAt: Timestamp
    let keepUntil: Timestamp
    let level: SessionLevel

    func isFresh(at now: Timestamp) -> Bool { now - self.completedAt <= .seconds(900) }
}

/// What a correct server knows of the sessions of some phones, written as simply as possible. `SessionModelTests` plays
/// random requests and compares every response.
struct SessionModel {
    struct Active {
        let user: String
        var loginAt: Timestamp
        var keepUntil: Timestamp
        var usedAt: Timestamp?
        var unlockedAt: Timestamp?
        var pin: Secret?
        var isLockedOut = false
        var wrongInARow = 0
        var wrongInAll = 0
        /// The proof that has set the PIN, if no attempt was judged since.
        var settingProof: [UInt8]?
        /// The nonce of the last attempt or change.
        var nonceTime: Timestamp?

        /// A session that was never used ends with its login's result.
        var endsAt: Timestamp {
            self.usedAt == nil ? self.keepUntil : self.loginAt + Example.rules.lifetime
        }

        func isFresh(at now: Timestamp) -> Bool { now - self.loginAt <= .seconds(900) }

        func isIdle(at now: Timestamp) -> Bool {
            now - max(self.loginAt, self.usedAt ?? self.loginAt) > Example.rules.idle
        }

        mutating func use(at now: Timestamp, isCertain: Bool = false) {
            // A use soon after another one is not written.
            if let usedAt, !isCertain, now - usedAt <= .seconds(30) { return }
            self.usedAt = now
        }
    }

    enum Row {
        case none
        case active(Active)
        /// Logins that completed until then cannot begin it again.
        case ended(until: Timestamp, at: Timestamp)
        /// It has ended, and whether a tombstone is left depends on which of two requests was faster.
        case gone
    }

    /// By phone.
    var rows: [Row]
    /// When all sessions of a user were ended.
    var markers: [String: Timestamp] = [:]

    /// Ends what is over by now.
    mutating func lapse(_ phone: Int, at now: Timestamp) {
        guard case .active(let active) = self.rows[phone], active.endsAt <= now else { return }
        self.rows[phone] = .ended(until: active.loginAt, at: active.endsAt)
    }

    /// What a request with an access token is told about a session that is not active.
    func absence(_ phone: Int, at now: Timestamp) -> Set<String> {
        switch self.rows[phone] {
        case .none: ["unknown"]
        // A sweep may have removed the tombstone, a day later.
        case .ended(_, let time): now >= time + SessionRules.tombstone ? ["ended", "unknown"] : ["ended"]
        case .gone: ["ended", "unknown"]
        case .active: []
        }
    }

    mutating func begin(_ phone: Int, _ login: ModelLogin, at now: Timestamp) -> Set<String> {
        self.lapse(phone, at: now)
        if let end = self.markers[login.user], login.completedAt <= end { return ["ended"] }
        guard login.level > .access else { return login.isFresh(at: now) ? ["ok"] : ["ended"] }
        let ok: Set = [login.isFresh(at: now) ? "ok" : "ok, no access token"]
        switch self.rows[phone] {
        case .active(var active):
            guard active.user == login.user else { return ["other_person"] }
            guard login.completedAt > active.loginAt else { return active.isLockedOut ? ["locked"] : ok }
            active.loginAt = login.completedAt
            active.keepUntil = login.keepUntil
            active.unlockedAt = nil
            if active.isLockedOut { (active.isLockedOut, active.pin) = (false, nil) }
            self.rows[phone] = .active(active)
            return ok
        case .ended(let until, _) where login.completedAt <= until: return ["ended"]
        case .ended, .none, .gone:
            self.rows[phone] = .active(
                Active(
                    user: login.user, loginAt: login.completedAt, keepUntil: login.keepUntil,
                    nonceTime: now + .milliseconds(-1)))
            return ok
        }
    }

    /// `pin` is what the phone proves. Nil if it proves none.
    mutating func renew(_ phone: Int, pin: Secret?, at now: Timestamp) -> Set<String> {
        self.lapse(phone, at: now)
        guard case .active(var active) = self.rows[phone] else { return ["unknown"] }
        defer { self.rows[phone] = .active(active) }
        if let pin {
            guard active.pin != nil else { return ["locked"] }
            active.nonceTime = now
            if let wrong = Self.judge(pin, &active) { return [wrong] }
            active.unlockedAt = now
            active.use(at: now, isCertain: true)
            return ["ok"]
        }
        if active.isLockedOut { return ["locked"] }
        if active.pin == nil, !active.isFresh(at: now) { return ["locked"] }
        if active.pin != nil, active.isIdle(at: now) { return ["pin_required"] }
        active.use(at: now)
        return ["ok"]
    }

    /// Returns nil for a right PIN.
    private static func judge(_ pin: Secret, _ active: inout Active) -> String? {
        active.settingProof = nil
        guard active.pin != pin else {
            active.wrongInARow = 0
            return nil
        }
        active.wrongInARow += 1
        active.wrongInAll += 1
        let left = min(5 - active.wrongInARow, 100 - active.wrongInAll)
        guard left <= 0 else { return "wrong_pin" }
        (active.isLockedOut, active.pin) = (true, nil)
        return "locked"
    }

    mutating func setPIN(
        _ phone: Int, _ secret: Secret, old: Secret?, proof: DPoPProof, user: String, at now: Timestamp
    ) -> Set<String> {
        self.lapse(phone, at: now)
        guard case .active(var active) = self.rows[phone] else { return self.absence(phone, at: now) }
        guard active.user == user else { return ["unknown"] }
        if active.settingProof == proof.hash { return ["set before"] }
        defer { self.rows[phone] = .active(active) }
        guard active.isFresh(at: now) || old != nil else { return ["too_late"] }
        let isStale = active.nonceTime.map { proof.nonceTime <= $0 } ?? false
        if let old, active.pin != nil {
            if isStale { return ["stale_nonce"] }
            active.nonceTime = proof.nonceTime
            if let wrong = Self.judge(old, &active) { return [wrong] }
        } else {
            if active.isLockedOut { return ["locked"] }
            guard active.isFresh(at: now) else { return ["too_late"] }
            if isStale { return ["stale_nonce"] }
        }
        (active.pin, active.wrongInARow, active.wrongInAll, active.settingProof) = (secret, 0, 0, proof.hash)
        active.nonceTime = proof.nonceTime
        active.use(at: now, isCertain: true)
        return ["set"]
    }

    mutating func list(_ phone: Int, user: String, at now: Timestamp) -> Set<String> {
        self.lapse(phone, at: now)
        guard case .active(let active) = self.rows[phone] else { return self.absence(phone, at: now) }
        guard active.user == user else { return ["unknown"] }
        if active.isFresh(at: now) { return ["ok"] }
        guard active.pin != nil else { return ["locked"] }
        return active.unlockedAt != nil && !active.isIdle(at: now) ? ["ok"] : ["pin_required"]
    }

    mutating func end(_ phone: Int, at now: Timestamp) {
        self.lapse(phone, at: now)
        if case .active = self.rows[phone] { self.rows[phone] = .ended(until: now, at: now) }
    }

    mutating func endAll(_ user: String, at now: Timestamp) {
        for phone in self.rows.indices {
            self.lapse(phone, at: now)
            if case .active(let active) = self.rows[phone], active.user == user { self.end(phone, at: now) }
        }
        self.markers[user] = now
    }
}
