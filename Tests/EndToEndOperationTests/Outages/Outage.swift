import EndToEndSupport
import TestSupport

/// How a test makes an outage while logins are in progress, and how it ends it.
struct Outage: Sendable {
    let begin: @Sendable (OutageStage, OutageScene) async throws -> Void
    var end: @Sendable (OutageStage) async throws -> Void = { _ in }
    /// How a login that starts during the outage ends; nil where this is nothing new.
    var whole: String?
    /// Whether the end of the outage also ends a login that started during it, because it was made by another clock or
    /// under another key.
    var endsWhatIsNew = false
    /// Whether the outage needs a database server of its own.
    var takesDatabase = false

    static let byTheTest = Outage(begin: { _, _ in })

    static let movedStore = Outage(begin: { stage, _ in try stage.moveStoreAway() }, end: { try $0.putStoreBack() })

    /// The broker's response arrives while the server cannot store it.
    static let movedStoreInAnExchange = Outage(
        begin: { stage, scene in
            stage.sandbox.pauseTokenEndpoint()
            _ = try await ScriptedBrowser.send(scene.comingBack)
            try await stage.sandbox.waitForHeldTokenRequests()
            try stage.moveStoreAway()
            stage.sandbox.resumeTokenEndpoint()
            // The server could store neither the token response nor the outcome.
            try await stage.waitForStoreFailures(2)
        }, end: { try $0.putStoreBack() })

    static let heldStore = Outage(begin: { stage, _ in try stage.holdStore() }, end: { try $0.letStoreGo() })

    static let slowStore = Outage(
        begin: { stage, _ in try stage.beginSlowness() }, end: { await $0.endSlowness() })

    static let databaseDown = Outage(
        begin: { stage, _ in stage.database?.kill() }, end: { try await $0.startDatabase() }, takesDatabase: true)

    static let databaseDownInAnExchange = Outage(
        begin: { stage, scene in
            stage.sandbox.pauseTokenEndpoint()
            _ = try await ScriptedBrowser.send(scene.comingBack)
            try await stage.sandbox.waitForHeldTokenRequests()
            stage.database?.kill()
            stage.sandbox.resumeTokenEndpoint()
            try await stage.waitForStoreFailures(2)
        }, end: { try await $0.startDatabase() }, takesDatabase: true)

    static let databaseReadOnly = Outage(
        begin: { stage, _ in try await stage.setReadOnly(true) }, end: { try await $0.setReadOnly(false) })

    static let slowDatabase = Outage(
        begin: { stage, _ in try stage.slowDatabase(true) }, end: { try $0.slowDatabase(false) })

    static let brokerDown = Outage(begin: { stage, _ in stage.front.stop() }, end: { try $0.front.start() })

    static let brokerDownAtStart = Outage(
        begin: { stage, _ in
            stage.front.stop()
            try await stage.restart()
        }, end: { try $0.front.start() })

    static let brokerSilent = Outage(
        begin: { stage, _ in stage.front.conduct(at: "/token", .neverAnswers) }, end: { $0.front.conduct(nil) })

    static let newKey = Outage(begin: { stage, _ in try await stage.changeKey(keepingOld: true) })

    static let lostKey = Outage(
        begin: { stage, _ in try await stage.changeKey(keepingOld: false) }, end: { try await $0.restart() },
        endsWhatIsNew: true)

    static func clock(_ step: Duration, whole: String = "`completed`") -> Outage {
        Outage(
            begin: { stage, _ in stage.clock.advance(by: step) }, end: { $0.clock.advance(by: .zero - step) },
            whole: whole, endsWhatIsNew: step < .seconds(-600))
    }
}
