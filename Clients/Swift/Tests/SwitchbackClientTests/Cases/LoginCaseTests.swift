import Testing

@testable import SwitchbackClient

/// The reducer of a login behaves as every client does.
@Suite struct LoginCaseTests {
    @Test("the reducer of a login does what each case says", arguments: BehaviourCase.all(for: "login"))
    func eachCase(_ row: BehaviourCase) throws {
        for difference in try LoginCasePlayer.differences(row) { Issue.record("\(difference)") }
    }

    @Test("there are cases for logins") func thereAreCases() {
        #expect(!BehaviourCase.all(for: "login").isEmpty)
    }
}
