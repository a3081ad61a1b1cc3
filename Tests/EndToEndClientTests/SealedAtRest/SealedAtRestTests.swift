import Base
import EndToEndSupport
import Foundation
import HTTPWire
import TestSupport
import Testing

/// Searches dumps of the store at every step of a login, and all output of the server, for every secret of the run.
@Suite(.blocking) struct SealedAtRestTests {
    /// The places that must be free of secrets: files by step and name, the log, and the metrics.
    private typealias Places = [(name: String, contents: Data)]

    @Test(arguments: SealedStage.Store.all)
    func `nothing readable lies in any dump`(_ store: SealedStage.Store) async throws {
        let stage = try await SealedStage(store)
        let front = stage.durable.front
        var places: Places = []
        func look(_ moment: String) throws {
            for (name, contents) in try stage.files() { places.append(("\(name), \(moment)", contents)) }
        }
        var secrets = try PlantedSecret.ofTheServer(stage)

        // This login is opened, stores its token response, and is cancelled. On a busy machine the broker's time may be
        // over before we have looked.
        var isCancelled = false
        for _ in 0..<5 where !isCancelled {
            let first = PhoneApp(stage.durable.url)
            let nonce = Base64URL.encode(RandomBytes.make(24))
            var browser = try await ScriptedBrowser(
                opening: try #require(try await first.create("demo", ["nonce": .string(nonce)]).nextURL))
            secrets +=
                PlantedSecret.of(first) + [PlantedSecret("the app's nonce", nonce)]
                + PlantedSecret.ofTheRequest(browser.url)
            try look("pending")
            front.conduct(at: "/userinfo", .neverAnswers)
            try await browser.perform(try await browser.callback(of: .query))
            #expect(await front.reached.next() == true)
            try look("exchanging, its token answer stored")
            isCancelled = try await first.cancel().json?["status"]?.string == "cancelled"
            try look("cancelled")
        }
        #expect(isCancelled)

        // This login completes and is acknowledged.
        front.conduct(at: "/userinfo", .changesDocument { $0["cpr"] = .string(SealedStage.nationalID) })
        let second = PhoneApp(stage.durable.url)
        var browser = try await stage.logIn(second)
        let donePage = browser.url
        let link = try #require(browser.button)
        let proof = try #require(link.firstMatch(of: /proof=([^&]+)/)).1
        secrets += PlantedSecret.of(second)
        let code = try #require(browser.code)
        secrets += [
            PlantedSecret("the page's code", code), PlantedSecret("the page's proof", String(proof)),
            PlantedSecret("the page's token", String(donePage.split(separator: "/").last ?? "")),
        ]
        try look("awaiting_return")
        let done = try #require(try await second.reportReturn(["url": .string(link)]).json)
        #expect(done["status"]?.string == "completed")
        secrets += try PlantedSecret.ofThePerson(done)
        try look("completed")
        #expect(try await second.acknowledge().status == 204)
        try look("acknowledged")

        // The user cancels one login, and the server rejects the ID token of another.
        let third = PhoneApp(stage.durable.url)
        browser = try await ScriptedBrowser(opening: try #require(try await third.create("demo").nextURL))
        secrets += PlantedSecret.of(third) + PlantedSecret.ofTheRequest(browser.url)
        try await browser.submit(button: "cancel")
        #expect(try await third.waitForEnd()["status"]?.string == "cancelled")
        front.conduct(at: "/token", .changesDocument { $0["id_token"] = "broken" })
        let fourth = PhoneApp(stage.durable.url)
        browser = try await ScriptedBrowser(opening: try #require(try await fourth.create("demo").nextURL))
        secrets += PlantedSecret.of(fourth) + PlantedSecret.ofTheRequest(browser.url)
        try await browser.submit(button: "approve")
        #expect(try await fourth.waitForEnd()["status"]?.string == "failed")
        try look("failed")

        secrets += try PlantedSecret.ofTheBroker(front.heard)
        places.append(("the log", Data(stage.durable.log.utf8)))
        let metrics = try await TestClient.send("GET", "\(stage.durable.operations)/metrics")
        Self.expectNone(of: secrets, in: places)
        // Six digits may occur in a number by chance.
        let others = secrets.filter { $0.name != "the page's code" }
        Self.expectNone(of: others, in: [("the metrics", Data(metrics.body))])
        Self.expectNone(
            of: others.filter { $0.name != "the page's token" }, in: [("the page's URL", Data(donePage.utf8))])
        #expect(secrets.count > 30, "\(secrets.map(\.name))")
        #expect(places.allSatisfy { !$0.contents.isEmpty || $0.name.contains("-") }, "each place has contents")
        try Self.expectTheSearchFinds(secrets)
        await stage.stop()
    }

    /// The search works: it finds a secret that the test writes into a file of the same kind.
    @Test func `a secret that is there is found`() async throws {
        let stage = try await SealedStage()
        let secret = PlantedSecret("planted", "Zeppelin Østergård")
        for (_, form) in secret.forms {
            let app = PhoneApp(stage.durable.url)
            _ = try await app.create("demo")
            let id = try #require(LoginName.bytes(app))
            let database = try stage.writer()
            try await database.write {
                try $0.execute(sql: "UPDATE login SET bytes = ? WHERE id = ?", arguments: [form, id])
            }
            try database.close()
            #expect(try stage.files().contains { secret.form(in: $0.value) != nil })
        }
        await stage.stop()
    }

    /// After the acknowledgement the row is overwritten and the log truncated, so the ciphertext is gone from the disk.
    @Test func `what is wiped is gone from the files`() async throws {
        let stage = try await SealedStage()
        let app = PhoneApp(stage.durable.url)
        let browser = try await stage.logIn(app)
        let link = try #require(browser.button)
        _ = try await app.reportReturn(["url": .string(link)])
        let id = try #require(LoginName.bytes(app))
        let sealed = try Self.row(id, stage)
        let before = try stage.files()
        #expect(try await app.acknowledge().status == 204)
        let rest = try Self.row(id, stage)
        // The parts of the row that are gone after the acknowledgement: the result and the MACs.
        let pieces = stride(from: 0, to: sealed.count - 24, by: 24).map { sealed[$0..<$0 + 24] }
            .filter { rest.range(of: $0) == nil }
        #expect(pieces.count > 10)
        #expect(before.contains { file in pieces.contains { file.value.range(of: $0) != nil } })
        #expect(try await eventually { try stage.files()["switchback.db-wal"]?.isEmpty ?? true })
        for (name, contents) in try stage.files() {
            #expect(!pieces.contains { contents.range(of: $0) != nil }, "\(name)")
        }
        await stage.stop()
    }

    private static func row(_ id: Data, _ stage: SealedStage) throws -> Data {
        let database = try stage.writer()
        defer { try? database.close() }
        return try #require(
            try database.read { database in
                let login = "SELECT bytes FROM login WHERE id = :id"
                let tombstone = "SELECT entry FROM tombstones WHERE substr(entry, 1, 16) = :id"
                return try Data.fetchOne(database, sql: "\(login) UNION ALL \(tombstone)", arguments: ["id": id])
            })
    }

    private static func expectNone(of secrets: [PlantedSecret], in places: Places) {
        for secret in secrets {
            #expect(secret.value.count >= 4, "\(secret.name) is too short to search for")
            for place in places { #expect(secret.form(in: place.contents) == nil, "\(secret.name) in \(place.name)") }
        }
    }

    /// Checks that each secret is found in each form, between random bytes.
    private static func expectTheSearchFinds(_ secrets: [PlantedSecret]) throws {
        for secret in secrets {
            for (name, form) in secret.forms {
                let noise = Data(RandomBytes.make(64))
                #expect(secret.form(in: noise + form + noise) != nil, "\(secret.name), \(name)")
            }
        }
    }
}
