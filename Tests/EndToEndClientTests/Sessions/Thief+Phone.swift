// Thieves who have a phone, or something that was on it.

import Base
import EndToEndSupport
import HTTPWire
import PhoneKeys
import StrictJSON
import struct SwitchbackClient.SoftwareKeyDerivation
import Testing

extension Thief {
    static let ofThePhone = [
        Thief(
            "a copy of the phone's storage, without its key",
            gets: "nothing: no PIN can be tested without the server, and no request signed without the key",
            Self.storage),
        Thief(
            "the phone's key as well (the phone itself, opened by force)",
            gets: "with `refresh`, tokens until the session is ended; with `unlock`, five tries at the PIN after the "
                + "idle time", Self.key),
        Thief("a refresh token", gets: "can end that session (`/oauth/revoke`), and nothing more", Self.refreshToken),
        Thief("an access token", gets: "nothing at an API that verifies the DPoP proof", Self.accessToken),
        Thief(
            "the app's backend key",
            gets: "can list and end the sessions of users whose `sub` it knows; no tokens", Self.backendKey),
        Thief(
            "an unlocked phone in hand",
            gets: "what the user has, for as long as the thief goes on using the app: lists and ends sessions, too. "
                + "Not the PIN, and no new PIN without the old one, unless the e-ID login was in the last 15 minutes",
            Self.phoneInHand),
    ]

    private static func storage() async throws {
        let stage = try await SessionStage.start()
        let owner = try await Self.phone(stage)
        // What lies on the phone is the secret XOR what its PIN leads to. Each PIN gives some secret.
        let (pin, salt) = (Array("481516".utf8), RandomBytes.make(16))
        let blob = Self.mask(owner.pin.exposed, with: pin, salt)
        let guesses = ["000000", "481515", "481516"].map { Secret(Self.mask(blob, with: Array($0.utf8), salt)) }
        #expect(guesses.allSatisfy { $0.count == 32 } && guesses.last == owner.pin)

        let thief = try owner.app.stolen()
        var refusals: Set<[UInt8]> = []
        for guess in guesses + guesses {
            let answer = try await thief.send { try thief.renewal(pin: guess) }
            #expect(answer.brief == "400 invalid_grant")
            refusals.insert(answer.body)
        }
        #expect(refusals.count == 1, "the right PIN looks like any other")
        // A request of the owner with another key in its proof, and one without a signature.
        for change in Self.forgeries(try PhoneKey()) {
            let answer = try await thief.send { try Self.renewal(owner.app, pin: guesses[2], change) }
            #expect(answer.brief == "400 invalid_dpop_proof")
        }
        #expect(try await Self.triesLeft(owner) == 4, "the thief has spent no try")
        await stage.stop()
    }

    private static func key() async throws {
        let refresh = try await SessionStage.start("refresh")
        let other = try SessionPhone(refresh.server.url)
        _ = try await refresh.session(other)
        // A session that was never used ends with its login's result.
        #expect(try await other.send({ try other.renewal() }).status == 200)
        refresh.server.clock.advance(by: .seconds(20 * 86_400))
        #expect(try await other.send({ try other.renewal() }).status == 200)
        #expect(try await other.send(other.revocation()).status == 200)
        #expect(try await other.send({ try other.renewal() }).brief == "400 invalid_grant")
        await refresh.stop()

        let stage = try await SessionStage.start()
        let owner = try await Self.phone(stage)
        stage.server.clock.advance(by: .seconds(86_400))
        #expect(try await owner.app.send({ try owner.app.renewal() }).brief == "400 pin_required")
        for left in [4, 3, 2, 1] { #expect(try await Self.triesLeft(owner) == left) }
        for pin in [Secret(RandomBytes.make(32)), owner.pin] {
            let answer = try await owner.app.send { try owner.app.renewal(pin: pin) }
            #expect(answer.brief == "400 insufficient_user_authentication", "the secret is gone")
        }
        await stage.stop()
    }

    private static func refreshToken() async throws {
        let stage = try await SessionStage.start()
        let owner = try await Self.phone(stage)
        let thief = try owner.app.stolen()
        #expect(try await thief.send({ try thief.renewal() }).brief == "400 invalid_grant")
        #expect(try await thief.send({ try thief.renewal(pin: owner.pin) }).brief == "400 invalid_grant")
        var bare = try thief.renewal()
        bare.fields.removeAll { $0.name == "DPoP" }
        #expect(try await thief.send(bare).brief == "400 invalid_dpop_proof")
        #expect(try await owner.app.send({ try owner.app.renewal() }).status == 200)
        #expect(try await thief.send(thief.revocation()).status == 200)
        #expect(try await owner.app.send({ try owner.app.renewal() }).brief == "400 invalid_grant")
        await stage.stop()
    }

    private static func accessToken() async throws {
        // SampleAPITests plays this against an API in Python. Ours is the list of sessions.
        let stage = try await SessionStage.start()
        let owner = try await Self.phone(stage)
        let thief = try owner.app.stolen()
        var bare = try owner.app.listing()
        bare.fields.removeAll { $0.name == "DPoP" }
        #expect(try await thief.send(bare).brief == "401 dpop_proof_required")
        bare.fields = bare.fields.map { Parameter($0.name, $0.value.replacing("DPoP ", with: "Bearer ")) }
        #expect(try await thief.send(bare).brief == "401 access_token_invalid")
        for request in [thief.listing, { try thief.ending(owner.app.session) }] {
            #expect(try await thief.send(request).brief == "401 dpop_proof_invalid")
        }
        // A proof that was overheard is for one request, and for a few minutes.
        let overheard = try owner.app.listing()
        var other = try thief.ending(owner.app.session)
        other.fields = overheard.fields
        #expect(try await thief.send(other).brief == "401 dpop_proof_invalid")
        stage.server.clock.advance(by: .seconds(310))
        #expect(try await thief.send(overheard).status == 401)
        await stage.stop()
    }

    private static func backendKey() async throws {
        let key = "0123456789abcdefghijklmnopqrstuvwxyz-ABCDEF"
        let stage = try await SessionStage.start(app: ", api_key: \(key)")
        let owner = try await Self.phone(stage)
        func send(_ action: String, _ subject: String) async throws -> JSON? {
            let body: JSON = ["subject": .string(subject)]
            return try await TestClient.send(
                "POST", "\(stage.server.url)/v1/sessions/\(action)",
                fields: [Parameter("Content-Type", "application/json"), Parameter("Api-Key", key)],
                body: body.encoded()
            ).json
        }
        let token = try #require(owner.app.accessToken)
        let subject = try SessionPhone.subject(of: token)
        for unknown in ["somebody", String(subject.dropLast())] {
            #expect(try await send("search", unknown) == ["sessions": []])
        }
        let found = try #require(try await send("search", subject)?["sessions"]?.array)
        #expect(found.compactMap { $0["id"]?.string } == [owner.app.session])
        let members: Set = [
            "id", "platform", "provider", "created_at", "used_at", "ends_at", "ends_in", "pin", "current",
        ]
        #expect(Set(found[0].object?.names ?? []) == members)
        // The key is no token, and no token is the key.
        for place in ["Bearer", "DPoP"] {
            var request = try owner.app.listing()
            request.fields[0] = Parameter("Authorization", "\(place) \(key)")
            #expect(try await owner.app.send(request).status == 401)
        }
        #expect(try await send("end", subject) == ["ended": 1])
        #expect(try await owner.app.send({ try owner.app.renewal() }).brief == "400 invalid_grant")
        await stage.stop()
    }

    private static func phoneInHand() async throws {
        let stage = try await SessionStage.start(settings: "sessions: {idle: 300}")
        let owner = try await Self.phone(stage)
        // A day later the owner unlocks the phone, and the thief takes it.
        stage.server.clock.advance(by: .seconds(86_400))
        #expect(try await owner.app.send({ try owner.app.renewal(pin: owner.pin) }).status == 200)
        let renewed = try await owner.app.send { try owner.app.renewal() }
        #expect(renewed.status == 200)
        #expect(!renewed.text.contains(Base64URL.encode(owner.pin.exposed)))
        #expect(try await owner.app.send({ try owner.app.listing() }).status == 200)
        let new = Secret(RandomBytes.make(32))
        #expect(try await owner.app.send({ try owner.app.settingPIN(new) }).brief == "403 pin_too_late")
        let wrong = try await owner.app.send { try owner.app.settingPIN(new, old: new) }
        #expect(wrong.brief == "403 wrong_pin" && wrong.json?["tries_left"]?.integer == 4, "it costs a try")
        stage.server.clock.advance(by: .seconds(400))
        #expect(try await owner.app.send({ try owner.app.renewal() }).brief == "400 pin_required")
        #expect(try await owner.app.send({ try owner.app.renewal(pin: new) }).brief == "400 wrong_pin")
        #expect(try await owner.app.send({ try owner.app.listing() }).status == 401)
        #expect(try await owner.app.send({ try owner.app.renewal(pin: owner.pin) }).status == 200)
        await stage.stop()
    }

    // MARK: - The owner

    private struct Owner: Sendable {
        let app: SessionPhone
        let pin: Secret
    }

    private static func phone(_ stage: SessionStage) async throws -> Owner {
        let owner = Owner(app: try SessionPhone(stage.server.url), pin: Secret(RandomBytes.make(32)))
        _ = try await stage.session(owner.app)
        #expect(try await owner.app.send({ try owner.app.settingPIN(owner.pin) }).status == 204)
        #expect(try await owner.app.send({ try owner.app.renewal(pin: owner.pin) }).status == 200)
        return owner
    }

    /// Types a wrong PIN, and returns how many tries are left.
    private static func triesLeft(_ owner: Owner) async throws -> Int? {
        let wrong = Secret(RandomBytes.make(32))
        return try await owner.app.send({ try owner.app.renewal(pin: wrong) }).json?["tries_left"]?.integer
    }

    // MARK: - Forgeries

    private static func mask(_ secret: [UInt8], with pin: [UInt8], _ salt: [UInt8]) -> [UInt8] {
        // An app uses many more iterations. They change how long this takes, and nothing else.
        zip(secret, SoftwareKeyDerivation().derive(from: pin, salt: salt, iterations: 10)).map { $0 ^ $1 }
    }

    private typealias Forgery = @Sendable (_ proof: String) throws -> String

    /// Proofs that name the owner's key, and that the owner's key has not signed.
    private static func forgeries(_ thief: PhoneKey) -> [Forgery] {
        [
            { proof in
                let other = try thief.proof("POST", "https://login.example", nonce: nil).split(separator: ".")
                return proof.split(separator: ".").prefix(2).joined(separator: ".") + ".\(other[2])"
            },
            { proof in
                let parts = proof.split(separator: ".").map(String.init)
                let header = try JSON(parsing: try #require(Base64URL.decode(parts[0])))
                var unsigned = try #require(header.object)
                unsigned["alg"] = "none"
                return "\(Base64URL.encode(JSON.object(unsigned).encoded())).\(parts[1])."
            },
        ]
    }

    private static func renewal(
        _ phone: SessionPhone, pin: Secret, _ change: Forgery
    ) throws -> SessionPhone.Request {
        var request = try phone.renewal(pin: pin)
        request.fields = try request.fields.map { field in
            field.name == "DPoP" ? Parameter(field.name, try change(field.value)) : field
        }
        return request
    }
}
