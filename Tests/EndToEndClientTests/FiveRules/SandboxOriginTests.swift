import EndToEndSupport
import StrictJSON
import Testing

/// A sandbox with the origin of a web page: its logins return there, and those of phones to the apps.
@Suite struct SandboxOriginTests {
    private static let page = "http://localhost:3000/"

    struct Row: Sendable {
        let app: String
        let create: JSON.Object
        /// Whether the browser ends at the page.
        let isAtPage: Bool
        let proof: String
    }

    @Test(arguments: [
        Row(app: "demo", create: ["platform": "web"], isAtPage: true, proof: "page_link"),
        Row(app: "kiosk", create: ["platform": "web"], isAtPage: true, proof: "none"),
        Row(app: "desk", create: ["platform": "web"], isAtPage: false, proof: "page_code"),
        Row(app: "demo", create: ["platform": "web", "surface": "system"], isAtPage: false, proof: "page_code"),
        Row(app: "demo", create: ["platform": "ios"], isAtPage: false, proof: "page_code"),
    ]) func `a web login of the sandbox ends at its origin`(_ row: Row) async throws {
        let sandbox = try await RunningSandbox.start(origins: ["http://localhost:3000", "capacitor://localhost"])
        let app = PhoneApp(sandbox.url)
        var body = row.create
        body["app"] = .string(row.app)
        let created = try await app.create("sandbox", body)
        #expect(created.json?["return_prefixes"]?.array?.contains(.string(Self.page)) == true)
        let end = try await sandbox.approve(try #require(app.id))
        let link = try #require(end["return_link"]?.string)
        #expect(link.hasPrefix(row.create["platform"] == "web" ? Self.page : "\(sandbox.links)/"))
        #expect((end["code"] == nil) == row.isAtPage)
        let proof: JSON = row.isAtPage ? ["url": .string(link)] : ["code": end["code"] ?? .null]
        _ = try await app.reportReturn(proof)
        let login = try await app.waitForEnd()
        #expect(login["proof"]?.string == row.proof)
        sandbox.stop()
    }
}
