// The notes that all sessions of a user of an app were ended, and when.
//
// A backend ends the sessions that are there. The user's phones may hold logins that completed before, and their
// results are kept for up to a day. So each end of all sessions leaves a marker, and no login that completed until then
// begins a session. A marker is a tombstone whose id is HMAC(key, app ‖ subject) instead of a session's: it has no
// other data, and is swept with the tombstones, after a day.

import Base
import Logins

extension SessionRepository {
    /// Notes that all sessions of this user end now.
    ///
    /// There is a marker for each key of the configuration, so that servers find one whose keys are not in the same
    /// order. It is sealed under the key that names it, and never under another one: so the key counts as needed until
    /// the marker is swept.
    func markEnd(app: String, subject: Secret, at now: Timestamp) async throws(SessionError) {
        for key in self.configuration.keys.all {
            try await self.write(key.endMarker(app: app, subject: subject), of: app, under: key, at: now)
        }
    }

    private func write(_ id: SessionID, of app: String, under key: SessionKey, at now: Timestamp)
        async throws(SessionError)
    {
        let marker = Session(id: id, app: app, state: .ended(at: now, loginsUntil: now))
        try await CompareAndSwap.run(orThrow: .storeUnavailable) { () async throws(SessionError) in
            var marker = marker
            let former: Int64
            switch try await self.load(id) {
            case nil: return try await self.insert(marker, under: key) ? .done(()) : .conflict
            case .session(let storedSession, _):
                // The clock of another server may be ahead.
                if case .ended(_, let loginsUntil) = storedSession.state, loginsUntil >= now { return .done(()) }
                former = storedSession.revision
            case .refused(let row): former = row.revision
            }
            marker.revision = former &+ 1
            return try await self.replace(marker, former, under: key) ? .done(()) : .conflict
        }
    }

    /// Returns whether all sessions of this user were ended since the login.
    nonisolated(nonsending) func hasEnd(since login: CompletedLogin) async throws(SessionError) -> Bool {
        for key in self.configuration.keys.all {
            switch try await self.load(key.endMarker(app: login.app, subject: login.subject)) {
            case nil: continue
            case .session(let marker, _):
                if case .ended(_, let loginsUntil) = marker.state, login.completedAt <= loginsUntil { return true }
            // Somebody has changed the row. Nobody knows what it was.
            case .refused: return true
            }
        }
        return false
    }
}
