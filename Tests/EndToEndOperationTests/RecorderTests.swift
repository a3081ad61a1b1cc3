import Base
import EndToEndSupport
import HTTPWire
import StrictJSON
import TestSupport
import Testing

/// What the operations port tells of a login, and to whom. IncidentTests has what it tells after each incident.
@Suite(.blocking) struct RecorderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        /// The reference of the login is put in the place of REFERENCE.
        var path = "/logins/REFERENCE"
        var token: String? = OutageStage.recorderToken
        let status: Int
        /// A part of the body.
        let says: String
    }

    static let rows = [
        Row(testDescription: "the reference as it is shown", status: 200, says: #""status":"open""#),
        Row(testDescription: "small letters without a dash", path: "/logins/reference", status: 200, says: "created"),
        Row(testDescription: "no token", token: nil, status: 401, says: "recorder.token is missing or wrong"),
        Row(testDescription: "an empty token", token: "", status: 401, says: "recorder.token is missing or wrong"),
        Row(
            testDescription: "another token", token: "\(OutageStage.recorderToken)x", status: 401,
            says: "recorder.token is missing or wrong"),
        Row(testDescription: "no reference", path: "/logins/K7QX", status: 404, says: "K7QX is no reference"),
        Row(
            testDescription: "a reference that no login has", path: "/logins/2222-2222", status: 404,
            says: "nothing is known of 2222-2222"),
        Row(testDescription: "nothing behind the slash", path: "/logins/", status: 404, says: "not found"),
        Row(testDescription: "another method", method: "DELETE", status: 405, says: ""),
    ]

    @Test func `only the holder of the token reads a note, by its reference`() async throws {
        let stage = try OutageStage(.sqlite, settings: OutageStage.recorder)
        let reference = try await stage.createLogin()
        for row in Self.rows {
            let path = row.path.replacing("REFERENCE", with: reference)
                .replacing("reference", with: reference.lowercased().filter { $0 != "-" })
            let answer = try await stage.read(path, row.method, row.token)
            #expect(answer.status == row.status, "\(row)")
            #expect(row.says.isEmpty || answer.text.contains(row.says), "\(row): \(answer.text)")
            #expect((answer[.wwwAuthenticate] == "Bearer") == (row.status == 401), "\(row)")
            #expect(row.status == 200 || !answer.text.contains(stage.url), "\(row)")
        }
        await stage.stop()
    }

    @Test func `a store that is away is told, and nothing else`() async throws {
        let stage = try OutageStage(.sqlite, settings: OutageStage.recorder)
        let reference = try await stage.createLogin()
        try stage.moveStoreAway()
        let answer = try await stage.note(of: reference)
        #expect(answer.status == 503 && answer.text == "the store does not respond: its log lines say why\n")
        try stage.putStoreBack()
        #expect(try await eventually { try await stage.note(of: reference).status == 200 })
        await stage.stop()
    }

    @Test(arguments: [
        ("", 404, "not found\n"), ("recorder: {keep: 3600}", 404, "not found\n"),
        ("recorder: {token: \"\(OutageStage.recorderToken)\"}", 404, "the recorder is off: recorder.keep is 0\n"),
    ])
    func `a recorder that is off tells nothing`(_ settings: String, _ status: Int, _ says: String) async throws {
        let stage = try OutageStage(.sqlite, settings: settings)
        let reference = try await stage.createLogin()
        let answer = try await stage.note(of: reference)
        #expect(answer.status == status && answer.text == says, "\(answer.text)")
        await stage.stop()
    }
}

extension OutageStage {
    static let recorderToken = "a-token-of-the-operators-alone"
    static let recorder = "recorder: {keep: 3600, token: \"\(recorderToken)\"}"

    /// Asks the operations port what happened to the login.
    func note(of reference: String) async throws -> Answer { try await self.read("/logins/\(reference)") }

    fileprivate func read(
        _ path: String, _ method: String = "GET", _ token: String? = OutageStage.recorderToken
    ) async throws -> Answer {
        let fields = token.map { [Parameter("Authorization", "Bearer \($0)")] } ?? []
        return try await TestClient.send(method, "\(self.operations)\(path)", fields: fields)
    }

    /// Returns the reference of a new login.
    fileprivate func createLogin() async throws -> String {
        let app = PhoneApp(self.url)
        #expect(try await app.create("demo").status == 201)
        return try #require(try await app.poll().json?["reference"]?.string)
    }
}
