import Testing

@testable import SwitchbackClient

/// The reducer of a session behaves as every client does.
@Suite struct SessionCaseTests {
    @Test("the reducer of a session does what each case says", arguments: BehaviourCase.all(for: "session"))
    func eachCase(_ row: BehaviourCase) throws {
        for difference in try SessionCasePlayer.differences(row) { Issue.record("\(difference)") }
    }

    @Test("there are cases for sessions") func thereAreCases() {
        #expect(!BehaviourCase.all(for: "session").isEmpty)
    }
}
