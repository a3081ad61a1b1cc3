/// What is made from a poll secret and a server key, as another program made it: it stands in rows and links, and must
/// stay the same from version to version.
import Base
import Testing

@testable import Logins

@Suite struct KnownValues {
    let key: ServerKey
    let secret: PollSecret
    let id: LoginID

    init() throws {
        self.key = try #require(ServerKey(Secret(Array(0..<32))))
        self.secret = try #require(PollSecret("ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8"))
        self.id = try #require(LoginID("genD7GEH2ZcbpV5HXewTyQ"))
    }

    @Test func ofAPollSecret() {
        #expect(self.secret.loginID == self.id)
        #expect(self.id.reference == "QHJW-QA72")
        #expect(Self.hex(self.secret.verifier(of: self.id)).hasPrefix("7c7f9a4524aab58da08bcf31ce9ba115"))
    }

    @Test func ofTokens() {
        #expect(StartToken.text(for: self.id, under: self.key) == "genD7GEH2ZcbpV5HXewTyfo6-sN3tPwdpEB9JRCVrnA")
        let opening = [UInt8](repeating: 7, count: 16)
        let state = StateToken(login: self.id, opening: opening).text(for: "main", under: self.key)
        #expect(state == "genD7GEH2ZcbpV5HXewTyQcHBwcHBwcHBwcHBwcHBwfYe0hG5VSWINnQ_coi_HmA")
        let taken = TakenResponse(opening: opening, hash: [UInt8](repeating: 9, count: 32))
        let page = PageToken(self.id, taken, under: self.key).text
        #expect(page == "genD7GEH2ZcbpV5HXewTyQcHBwcHBwcHBwcHBwcHBwfBf8Ph0HqQsUdnLDjH--tQkG9nEtYa6l-eRUYVKzBqKg")
        let proof = PageProof(self.id, taken, under: self.key)
        #expect(proof.link == "MbTyhP3Enmku1seH7dBZRw")
        #expect(proof.code == "144880")
        let cookies = [
            OpeningCookie(self.id, opening: opening, under: self.key), OpeningCookie(self.id, taken, under: self.key),
        ]
        #expect(cookies.map(\.name) == Array(repeating: "__Host-sb-BwcHBwcHBwcHBwcHBwcHBw", count: 2))
        #expect(Set(cookies.map(\.value) + [proof.link]).count == 3)
    }

    @Test func ofAWrappedKey() {
        let wrapped = self.key.wrapped(self.secret.outcomeKey(of: self.id).exposed, of: self.id)
        #expect(Self.hex(wrapped) == "66913c679d28b386f8c2d6daf9e325cca998baa82ae51a76b9196cc3658e19b1")
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
