import Base
import Cryptography
import Foundation
import HTTPWire
import KeyFiles
import PhoneKeys
import StrictJSON
import TestSupport
import Testing

/// Searches dumps of the store at every step of a session, and the log, for every secret of the run: rows of sessions
/// live for months, and show no `sub`, refresh token or PIN secret.
@Suite(.blocking) struct SealedSessionTests {
    @Test(arguments: SealedStage.Store.all)
    func `nothing readable lies in a row`(_ store: SealedStage.Store) async throws {
        let stage = try await SealedStage(store, hasSessions: true)
        var places: [(name: String, contents: Data)] = []
        func look(_ moment: String) throws {
            for (name, contents) in try stage.files() { places.append(("\(name), \(moment)", contents)) }
        }
        let phone = try SessionPhone(stage.durable.url)
        let app = try await stage.session(phone)
        var secrets = try PlantedSecret.ofSessionKeys(stage) + PlantedSecret.ofSession(phone)
        secrets += try PlantedSecret.ofThePerson(try #require(try await app.poll().json))
        try look("begun")

        let pins = (0..<2).map { _ in Secret(RandomBytes.make(32)) }
        #expect(try await phone.send(try phone.settingPIN(pins[0])).status == 204)
        try look("with a PIN")
        #expect(try await app.acknowledge().status == 204)
        #expect(try await phone.send(try phone.renewal()).status == 200)
        try look("renewed")
        let wrong = Secret(RandomBytes.make(32))
        #expect(try await phone.send({ try phone.renewal(pin: wrong) }).brief == "400 wrong_pin")
        try look("after a wrong PIN")
        #expect(try await phone.send({ try phone.renewal(pin: pins[0]) }).status == 200)
        secrets += try PlantedSecret.ofSession(phone)
        try look("unlocked")
        #expect(try await phone.send({ try phone.settingPIN(pins[1], old: pins[0]) }).status == 204)
        try look("with another PIN")
        for _ in 0..<5 { _ = try await phone.send { try phone.renewal(pin: wrong) } }
        #expect(try await phone.send({ try phone.renewal(pin: pins[1]) }).sessionError == Self.locked)
        try look("locked out")

        // Another one of the same user is ended.
        let other = try SessionPhone(stage.durable.url)
        try await stage.session(other)
        secrets += try PlantedSecret.ofSession(other)
        #expect(try await other.send(other.revocation()).status == 200)
        try look("ended")

        secrets += (pins + [wrong]).flatMap { pin in
            [
                PlantedSecret("a PIN's secret", pin.exposed),
                PlantedSecret("a PIN's secret, as sent", Base64URL.encode(pin.exposed)),
            ]
        }
        places.append(("the log", Data(stage.durable.log.utf8)))
        for secret in secrets {
            #expect(secret.value.count >= 4, "\(secret.name) is too short to search for")
            for place in places { #expect(secret.form(in: place.contents) == nil, "\(secret.name) in \(place.name)") }
        }
        #expect(secrets.count > 30, "\(secrets.map(\.name))")
        // The dumps have the rows.
        let id = try #require(Base64URL.decode(phone.session))
        let row = PlantedSecret("the session's id", id)
        #expect(places.contains { $0.name.contains("begun") && row.form(in: $0.contents) != nil })
        _ = try await stage.durable.says(phone.session)
        await stage.stop()
    }

    private static let locked = "insufficient_user_authentication"
}

extension PlantedSecret {
    fileprivate static func ofSessionKeys(_ stage: SealedStage) throws -> [PlantedSecret] {
        let folder = stage.durable.folder
        let session = try String(contentsOfFile: "\(folder)/session.key", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let access = try String(contentsOfFile: "\(folder)/access.key", encoding: .utf8)
        let line = try #require(access.split(separator: "\n").dropFirst().first)
        return [
            PlantedSecret("the session key's file", session),
            PlantedSecret("the session key", try SessionKeyFile.key(in: Array(session.utf8)).exposed),
            PlantedSecret("a line of the access key's file", String(line)),
        ]
    }

    /// What the phone got with its last tokens.
    static func ofSession(_ phone: SessionPhone) throws -> [PlantedSecret] {
        let refreshToken = try #require(phone.refreshToken)
        let accessToken = try #require(phone.accessToken)
        let subject = try SessionPhone.subject(of: accessToken)
        let bytes = Array(subject.utf8)
        return [
            PlantedSecret("a refresh token", refreshToken),
            // The first part is the session's id.
            PlantedSecret("a refresh token's secret", Array((Base64URL.decode(refreshToken) ?? []).dropFirst(16))),
            PlantedSecret("an access token", accessToken),
            PlantedSecret("an access token's signature", String(accessToken.split(separator: ".").last ?? "")),
            PlantedSecret("the sub", bytes),
            // An attacker could try all national ids.
            PlantedSecret("the sub's hash", Digest.sha256.hash(bytes)),
            PlantedSecret("the hash of app and sub", Digest.sha256.hash(Array("demo".utf8) + bytes)),
            PlantedSecret("the hash of app and sub, apart", Digest.sha256.hash(Array("demo".utf8) + [0] + bytes)),
        ]
    }
}

extension SessionPhone {
    /// The `sub` of an access token, without a look at its signature.
    static func subject(of accessToken: String) throws -> String {
        let part = try #require(accessToken.split(separator: ".").dropFirst().first)
        let claims = try JSON(parsing: try #require(Base64URL.decode(part)))
        return try #require(claims["sub"]?.string)
    }
}
