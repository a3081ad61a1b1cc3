import Testing

@testable import Logins

/// Tests of the tokens that travel through browsers: each is made by us for one purpose, or rejected.
@Suite struct TokenTests {
    let keys: ServerKeys
    let id = Example.secret.loginID

    init() throws { self.keys = try #require(ServerKeys([Example.key])) }

    /// Sources: D27.
    @Test func `a state names its login and attempt`() {
        let token = StateToken(login: self.id, attempt: Example.attempt(3).id)
        let text = token.text(for: "idura", under: Example.key)
        #expect(text.utf8.count == 64)
        #expect(StateToken(text, from: "idura", keys: self.keys) == token)
        #expect(StateToken(text, from: "vipps", keys: self.keys) == nil, "another broker's callback: a mix-up")
    }

    @Test func `a rotated key still opens a state`() throws {
        let text = StateToken(login: self.id, attempt: Example.attempt(3).id).text(for: "b", under: Example.key)
        let rotated = try #require(ServerKeys([ServerKey.make(), Example.key]))
        #expect(StateToken(text, from: "b", keys: rotated) != nil)
        let retired = try #require(ServerKeys([ServerKey.make()]))
        #expect(StateToken(text, from: "b", keys: retired) == nil)
    }

    /// Every character of a state matters.
    @Test func `a forged state is refused`() {
        let text = StateToken(login: self.id, attempt: Example.attempt(3).id).text(for: "b", under: Example.key)
        for index in text.indices {
            var forged = text
            forged.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(StateToken(forged, from: "b", keys: self.keys) == nil)
        }
        for other in ["", text + "A", String(text.dropLast()), String(repeating: "A", count: 64), text + "="] {
            #expect(StateToken(other, from: "b", keys: self.keys) == nil)
        }
    }

    @Test func `a start token opens its login`() {
        let text = StartToken.text(for: self.id, under: Example.key)
        #expect(StartToken.login(of: text, keys: self.keys) == self.id)
        #expect(StartToken.login(of: String(text.reversed()), keys: self.keys) == nil)
        #expect(StartToken.login(of: StartToken.text(for: self.id, under: ServerKey.make()), keys: self.keys) == nil)
    }

    @Test func `a page token shows the response that it was made for`() throws {
        let taken = AcceptedResponse(attempt: Example.attempt(1).id, hash: Example.hash(1))
        let text = PageToken(self.id, taken, under: Example.key).text
        let token = try #require(PageToken(text, keys: self.keys))
        #expect(token.login == self.id)
        #expect(token.shows(taken, under: Example.key))
        let other = AcceptedResponse(attempt: taken.attempt, hash: Example.hash(2))
        #expect(!token.shows(other, under: Example.key), "another code has another page")
        let elsewhere = AcceptedResponse(attempt: Example.attempt(2).id, hash: taken.hash)
        #expect(!token.shows(elsewhere, under: Example.key))
    }

    /// Every character of a page token matters, and a forged one is rejected without asking the store.
    @Test func `a forged page token is refused`() throws {
        let taken = AcceptedResponse(attempt: Example.attempt(1).id, hash: Example.hash(1))
        let text = PageToken(self.id, taken, under: Example.key).text
        for index in text.indices {
            var forged = text
            forged.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(PageToken(forged, keys: self.keys) == nil)
        }
        for other in ["", text + "A", String(text.dropLast()), String(repeating: "A", count: 86), text + "="] {
            #expect(PageToken(other, keys: self.keys) == nil)
        }
        let rotated = try #require(ServerKeys([ServerKey.make(), Example.key]))
        #expect(PageToken(text, keys: rotated) != nil)
        #expect(PageToken(text, keys: try #require(ServerKeys([ServerKey.make()]))) == nil)
    }

    @Test func `the ID is made from the secret`() throws {
        let secret = PollSecret.make()
        let again = try #require(PollSecret(secret.exposedText))
        #expect(again.loginID == secret.loginID)
        #expect(LoginID(secret.loginID.description) == secret.loginID)
        #expect(PollSecret.make().loginID != secret.loginID)
        #expect("\(secret)".contains(secret.exposedText) == false)
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(dumped.contains("‹secret›") && Mirror(reflecting: secret).children.isEmpty)
    }

    @Test(arguments: ["", "short", String(repeating: "A", count: 44), String(repeating: "A", count: 42) + "B"])
    func `what is no poll secret is refused`(_ text: String) { #expect(PollSecret(text) == nil) }

    @Test func `a reference has no ambiguous characters`() {
        let reference = self.id.reference
        #expect(reference.utf8.count == 9)
        #expect(reference.contains("-"))
        #expect(!reference.contains { "ILOU01".contains($0) })
    }
}
