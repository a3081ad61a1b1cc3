// The members of a record that belong to its event. docs/reference/audit-record.schema.json describes them.

import Base
import StrictJSON

extension AuditEvent {
    func write(into line: inout JSONObjectWriter) {
        switch self {
        case .started(let start):
            line.add("version", start.version)
            line.add("host", start.host)
            line.add("key", start.key.jwk.json)
            if let after = start.after { line.add("after", object: after.write) }
        case .continued(let key):
            line.add("key", key.jwk.json)
        case .configuration(let digest, let cause):
            line.add("digest", digest)
            line.add("cause", cause.rawValue)
        case .keys(let keys, let key):
            line.add("keys", .array(keys.map(\.json)))
            line.add("key", key.jwk.json)
        case .delivered(let login):
            login.write(into: &line)
        case .acknowledged(let login, let app, let provider):
            line.add("login", orNull: login)
            line.add("app", orNull: app)
            line.add("provider", orNull: provider)
        case .sessionBegun(let session), .sessionRenewed(let session), .pinSet(let session),
            .sessionLocked(let session):
            session.write(into: &line)
        case .sessionEnded(let session, let cause):
            session.write(into: &line)
            line.add("cause", cause)
        case .gap(let gap):
            line.add("dropped", gap.dropped)
            line.add("refused", gap.refused)
            line.add("since", gap.since.rfc3339)
            line.add("until", gap.until.rfc3339)
        case .signed(let closing, let token):
            line.add("closes", orNull: closing?.rawValue)
            line.add("jws", token)
        }
    }
}

extension AuditTail {
    fileprivate func write(into line: inout JSONObjectWriter) {
        line.add("chain", self.chain)
        line.add("number", self.number)
        line.add("hash", self.hash)
        if let torn { line.add("torn", torn) }
    }
}

extension AuditEvent.Login {
    fileprivate func write(into line: inout JSONObjectWriter) {
        line.add("login", self.login)
        line.add("reference", self.reference)
        line.add("who", self.who)
        line.add("app", self.app)
        line.add("provider", self.provider)
        line.add("platform", orNull: self.platform)
        line.add("assurance", self.assurance)
        line.add("proof", self.proof)
    }
}

extension AuditEvent.Session {
    fileprivate func write(into line: inout JSONObjectWriter) {
        line.add("session", orNull: self.session)
        line.add("app", orNull: self.app)
        line.add("provider", orNull: self.provider)
        if let login { line.add("login", login) }
        if let who { line.add("who", who) }
        if let allows { line.add("allows", allows) }
    }
}

extension AuditEvent.KeyInUse {
    fileprivate var json: JSON {
        ["use": .string(self.use), "id": .string(self.id), "phase": .string(self.phase)]
    }
}
