import Testing

@testable import SwitchbackClient

/// The reducer of a login behaves as every client does.
@Suite struct LoginCaseTests {
    @Test("the reducer of a login does what each case says", arguments: BehaviourCase.all(for: "login"))
    func eachCase(_ row: BehaviourCase) throws {
        #expect(try LoginCasePlayer.differences(row) == [])
    }

    @Test("every file has cases for a reducer") func everyFileHasCases() {
        #expect(BehaviourCase.emptyFiles == [])
        #expect(!BehaviourCase.all(for: "login").isEmpty)
    }
}
