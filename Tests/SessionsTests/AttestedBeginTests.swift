import Base
import Testing

@testable import Sessions

/// What an attestation changes at the begin: rows of the key's session, the login and the app's demand.
@Suite struct AttestedBeginTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// What was attested for the session of the key.
        let known: SessionAttestation
        /// What this request attests.
        let sent: SessionAttestation
        let isDemanded: Bool
        /// Nil for the login that began the session, otherwise the seconds until another one.
        var later: Int? = 60
        let action: Session.BeginAction
        /// What the session has then.
        let has: SessionAttestation

        var testDescription: String {
            "\(self.known), then \(self.sent) by \(self.later == nil ? "the same" : "another") login"
                + (self.isDemanded ? ", demanded" : "")
        }
    }

    static let rows = [
        Row(known: .none, sent: .none, isDemanded: false, action: .renewed, has: .none),
        Row(known: .none, sent: .app, isDemanded: false, action: .renewed, has: .app),
        Row(known: .none, sent: .none, isDemanded: true, action: .unattested, has: .none),
        Row(known: .none, sent: .key, isDemanded: true, action: .renewed, has: .key),
        Row(known: .key, sent: .none, isDemanded: true, action: .renewed, has: .key),
        Row(known: .key, sent: .app, isDemanded: true, action: .renewed, has: .key),
        Row(known: .app, sent: .none, isDemanded: false, action: .renewed, has: .app),
        Row(known: .none, sent: .none, isDemanded: false, later: nil, action: .found, has: .none),
        Row(known: .none, sent: .key, isDemanded: false, later: nil, action: .found, has: .key),
        Row(known: .none, sent: .none, isDemanded: true, later: nil, action: .unattested, has: .none),
        Row(known: .none, sent: .key, isDemanded: true, later: nil, action: .found, has: .key),
        Row(known: .key, sent: .none, isDemanded: true, later: nil, action: .found, has: .key),
    ]

    private static let thumbprint = String(repeating: "A", count: 43)
    private static let random = Secret([UInt8](repeating: 1, count: 32))

    @Test(arguments: rows) func `a begin needs the attestation that is demanded`(_ row: Row) throws {
        let login = Example.login(Self.thumbprint, attestation: row.known)
        var session = try #require(
            Session(
                login, thumbprint: Self.thumbprint, level: .unlock, random: Self.random, at: Example.start,
                Example.rules))
        let next = Example.login(Self.thumbprint, completed: row.later ?? 0, attestation: row.sent)
        let action = session.begin(
            with: next, thumbprint: Self.thumbprint, level: .unlock, demandsAttestation: row.isDemanded,
            random: Self.random, at: Example.after(row.later ?? 1), Example.rules)
        #expect(action == row.action)
        #expect(session.active?.attestation == row.has)
    }

    /// The row of an ended session says nothing about its key.
    @Test func `an ended session says nothing about its key`() throws {
        let id = SessionID(app: Example.app, thumbprint: Self.thumbprint)
        for (sent, action) in [(SessionAttestation.none, Session.BeginAction.unattested), (.key, .begun)] {
            var session = Session(
                id: id, app: Example.app, state: .ended(at: Example.start, loginsUntil: Example.start))
            let found = session.begin(
                with: Example.login(Self.thumbprint, completed: 60, attestation: sent), thumbprint: Self.thumbprint,
                level: .unlock, demandsAttestation: true, random: Self.random, at: Example.after(60), Example.rules)
            #expect(found == action)
        }
    }
}
