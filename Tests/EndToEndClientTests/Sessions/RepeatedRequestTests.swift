import Base
import HTTPWire
import PhoneKeys
import StrictJSON
import Testing

/// A phone that lost an answer sends the same bytes again. It gets what it would have got, and nothing counts twice.
@Suite struct RepeatedRequestTests {
    @Test func `every request may come twice`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.login(phone)
        let pin = Secret(RandomBytes.make(32))

        let begin = try phone.beginning(app)
        let (first, second) = (try await phone.send(begin), try await phone.send(begin))
        #expect(first.status == 200 && second.status == 200)
        #expect(first.json?["session_id"] == second.json?["session_id"])
        #expect(first.json?["refresh_token"] == second.json?["refresh_token"])
        // One key, one session: a fresh proof makes no second one.
        #expect(try await phone.send(try phone.beginning(app)).json?["session_id"] == first.json?["session_id"])

        let set = try phone.settingPIN(pin)
        for _ in 0..<2 { #expect(try await phone.send(set).status == 204) }
        let list = try phone.listing()
        for _ in 0..<2 {
            let sessions = try #require(try await phone.send(list).json?["sessions"]?.array)
            #expect(sessions.count == 1)
            #expect(sessions.first?["id"]?.string == phone.session)
            #expect(sessions.first?["current"] == true && sessions.first?["pin"] == true)
            #expect(sessions.first?["platform"] == "ios")
        }
        let renew = try phone.renewal()
        for _ in 0..<2 { #expect(try await phone.send(renew).json?["refresh_token"] == first.json?["refresh_token"]) }

        stage.server.clock.advance(by: .seconds(900))
        _ = try await phone.send(try phone.renewal())
        let wrong = try phone.renewal(pin: Secret(RandomBytes.make(32)))
        for _ in 0..<3 {
            let answer = try await phone.send(wrong)
            #expect(answer.brief == "400 wrong_pin")
            #expect(answer.json?["tries_left"] == 4, "the same try is judged once")
        }
        let unlock = try phone.renewal(pin: pin)
        for _ in 0..<3 { #expect(try await phone.send(unlock).json?["access_token"] != nil) }

        let end = try phone.ending(phone.session)
        for _ in 0..<2 { #expect(try await phone.send(end).status == 204) }
        for _ in 0..<2 { #expect(try await phone.send(phone.revocation()).status == 200) }
        #expect(try await phone.send(try phone.renewal()).brief == "400 invalid_grant")
        await stage.stop()
    }

    /// The proof of an older try has an older nonce: it costs nothing, and needs a new nonce.
    @Test func `an old try costs nothing`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url)
        _ = try await stage.session(phone)
        let pin = Secret(RandomBytes.make(32))
        #expect(try await phone.send(try phone.settingPIN(pin)).status == 204)
        let old = try phone.renewal(pin: Secret(RandomBytes.make(32)))
        // The next nonce is newer by our clock's milliseconds.
        stage.server.clock.advance(by: .seconds(1))
        phone.keep(try await phone.send(try phone.listing()))
        #expect(try await phone.send(try phone.renewal(pin: pin)).status == 200)
        #expect(try await phone.send(old).brief == "400 use_dpop_nonce")
        stage.server.clock.advance(by: .seconds(1))
        _ = try await phone.send(try phone.listing())
        let wrong = try await phone.send(try phone.renewal(pin: Secret(RandomBytes.make(32))))
        #expect(wrong.json?["tries_left"] == 4)
        await stage.stop()
    }
}
