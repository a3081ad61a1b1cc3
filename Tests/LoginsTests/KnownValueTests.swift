import Base
import Testing

@testable import Logins

/// Values derived from a poll secret and a server key, as another program computed them. Rows and links contain them,
/// so they must not change between versions.
@Suite struct KnownValueTests {
    let key: ServerKey
    let secret: PollSecret
    let id: LoginID

    init() throws {
        self.key = try #require(ServerKey(Secret(Array(0..<32))))
        self.secret = try #require(PollSecret("ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8"))
        self.id = try #require(LoginID("genD7GEH2ZcbpV5HXewTyQ"))
    }

    @Test func `the values of a poll secret never change`() {
        #expect(self.secret.loginID == self.id)
        #expect(self.id.reference == "QHJW-QA72")
        #expect(Self.hex(self.secret.verifier(of: self.id)).hasPrefix("7c7f9a4524aab58da08bcf31ce9ba115"))
    }

    /// Servers of two versions may share a store.
    @Test func `the bytes of a row never change`() throws {
        let attempt = [UInt8](repeating: 7, count: 16)
        var login = Login(
            id: self.id, keyID: Array(1...8), app: "demo", provider: "mitid", broker: "main", platform: .ios,
            locale: "da", surface: .authSession, callback: .scheme, release: .returnLink,
            createdAt: Timestamp(milliseconds: 1000), deadline: Timestamp(milliseconds: 601_000), resultTTL: 600_000,
            pollVerifier: [9], bodyVerifier: [10], request: [], wrappedKey: [11])
        login.attempts = [AuthorizationAttempt(id: attempt, openedAt: Timestamp(milliseconds: 2000), inFlight: [12])]
        login.acceptedResponse = AcceptedResponse(attempt: attempt, hash: [13])
        login.hint = .started
        let fields = LoginCodec.encode(login)
        #expect(Self.hex(fields) == Self.row)
        #expect(try LoginCodec.decode(fields) == login)
        let sealed = LoginSeal.seal(login, under: self.key).bytes
        #expect(Self.hex(sealed) == "0102030405060708" + Self.row + Self.code)
    }

    private static let row = """
        051081e9c3ec6107d9971ba55e475dec13c90801020304050607080464656d6f056d69746964046d61696e0103696f730102\
        6461010c617574685f73657373696f6e0106736368656d6501d00fd0ae49809f490109010a00010b02020002100707070707\
        0707070707070707070707a01f010c0100011007070707070707070707070707070707010d00000000000001077374617274\
        6564000000
        """

    private static let code = "c21d4ab8e12bdbfd7c6b7b2be8ca5a2d8a0331e9081b644bdd2e45949f111572"

    @Test func `the tokens of a login never change`() {
        #expect(StartToken.text(for: self.id, under: self.key) == "genD7GEH2ZcbpV5HXewTyfo6-sN3tPwdpEB9JRCVrnA")
        let attempt = [UInt8](repeating: 7, count: 16)
        let state = StateToken(login: self.id, attempt: attempt).text(for: "main", under: self.key)
        #expect(state == "genD7GEH2ZcbpV5HXewTyQcHBwcHBwcHBwcHBwcHBwfYe0hG5VSWINnQ_coi_HmA")
        let taken = AcceptedResponse(attempt: attempt, hash: [UInt8](repeating: 9, count: 32))
        let page = PageToken(self.id, taken, under: self.key).text
        #expect(page == "genD7GEH2ZcbpV5HXewTyQcHBwcHBwcHBwcHBwcHBwfBf8Ph0HqQsUdnLDjH--tQkG9nEtYa6l-eRUYVKzBqKg")
        let proof = PageProof(self.id, taken, under: self.key)
        #expect(proof.link == "MbTyhP3Enmku1seH7dBZRw")
        #expect(proof.code == "144880")
        let cookies = [
            AttemptCookie(self.id, attempt: attempt, under: self.key), AttemptCookie(self.id, taken, under: self.key),
        ]
        #expect(cookies.map(\.name) == Array(repeating: "__Host-sb-BwcHBwcHBwcHBwcHBwcHBw", count: 2))
        #expect(Set(cookies.map(\.value) + [proof.link]).count == 3)
    }

    @Test func `the bytes of a wrapped key never change`() {
        let wrapped = self.key.wrapped(self.secret.outcomeKey(of: self.id).exposed, of: self.id)
        #expect(Self.hex(wrapped) == "66913c679d28b386f8c2d6daf9e325cca998baa82ae51a76b9196cc3658e19b1")
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
