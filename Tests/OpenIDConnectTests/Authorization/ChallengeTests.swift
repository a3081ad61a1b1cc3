import Base
import OpenIDConnect
import Testing

/// PKCE, with the example of RFC 7636 and with generated values.
@Suite struct ChallengeTests {
    @Test func `the example of RFC 7636 appendix B is right`() {
        #expect(Example.challenge.codeChallenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `each challenge is made anew`() {
        let made = (0..<100).map { _ in Challenge.make(state: "s") }
        #expect(Set(made.map(\.nonce)).count == 100)
        #expect(Set(made.map(\.codeVerifier.exposedText)).count == 100)
        for challenge in made {
            #expect(challenge.state == "s")
            #expect(challenge.nonce.utf8.count == 43)
            #expect(challenge.codeVerifier.count == 43)
            #expect(Base64URL.decode(challenge.codeVerifier.exposedText)?.count == 32)
        }
    }
}
