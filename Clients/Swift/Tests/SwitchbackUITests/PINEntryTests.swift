import Testing

@testable import SwitchbackClient
@testable import SwitchbackUI

/// What a screen for a PIN asks for, and what follows from what the user typed.
@Suite struct PINEntryTests {
    private static let texts = ScreenTexts.en

    /// Types a PIN key by key, and says that it is whole.
    private static func type(_ pin: String, into entry: inout PINEntry) -> PINEntry.Request? {
        for count in 1...pin.count { entry.field.take(String(pin.prefix(count))) }
        return entry.submit()
    }

    /// A state of the session, and the title of the screen for it; nil for none.
    static let states: [(state: SessionState, title: String?)] = [
        (.active(needsPIN: true), texts.newPINTitle), (.active(needsPIN: false), nil),
        (.pinRequired(triesLeft: nil), texts.pinTitle), (.locked(.byApp), texts.pinTitle),
        (.locked(.deviceLocked), nil), (.stepUpRequired, nil), (.signedOut(.byUser), nil),
    ]

    @Test("a state of the session has its screen", arguments: states.indices) func eachState(_ index: Int) {
        #expect(PINEntry(Self.states[index].state)?.title(Self.texts) == Self.states[index].title)
    }

    @Test("the tries of the state are shown") func theTriesAreShown() {
        #expect(PINEntry(.pinRequired(triesLeft: 3))?.note(Self.texts) == "Tries left: 3")
    }

    /// What is typed for a new PIN, one after the other; then the title, the note, and the request to the session.
    static let choices: [(pins: [String], title: String, note: String?, request: PINEntry.Request?)] = [
        (["481516"], texts.repeatPINTitle, nil, nil),
        (["481516", "481516"], texts.repeatPINTitle, nil, .set("481516")),
        (["481516", "481517"], texts.newPINTitle, texts.differentPINText, nil),
        (["481516", "481517", "481516"], texts.repeatPINTitle, nil, nil),
        (["481516", "481517", "481516", "481516"], texts.repeatPINTitle, nil, .set("481516")),
        (["48151"], texts.newPINTitle, nil, nil), (["111111"], texts.newPINTitle, texts.easyPINText, nil),
        (["123456"], texts.newPINTitle, texts.easyPINText, nil),
        (["987654"], texts.newPINTitle, texts.easyPINText, nil),
        (["890123", "481516"], texts.repeatPINTitle, nil, nil),
    ]

    @Test("a new PIN is long enough, not easy, and typed twice", arguments: choices.indices)
    func aNewPIN(_ index: Int) throws {
        let row = Self.choices[index]
        var entry = try #require(PINEntry(.active(needsPIN: true)))
        #expect(entry.text(Self.texts) == Self.texts.newPINText)
        var request: PINEntry.Request?
        for pin in row.pins { request = Self.type(pin, into: &entry) }
        #expect(request == row.request && entry.isBusy == (request != nil))
        #expect(entry.title(Self.texts) == row.title && entry.note(Self.texts) == row.note)
        #expect((entry.text(Self.texts) == nil) == (row.title == Self.texts.repeatPINTitle))
    }

    /// The session's answer to a PIN, the note, what stays in the field, and whether the user can go on here.
    static let answers: [(error: SessionError?, note: String?, digits: String, goesOn: Bool)] = [
        (nil, nil, "", true), (.wrongPIN(triesLeft: 4), "\(texts.wrongPINText) Tries left: 4", "", true),
        (.noResponse(.noResponse), texts.noResponseText, "481516", true), (.stepUpRequired, nil, "", false),
        (.noPIN, nil, "", false), (.noBiometrics, nil, "481516", true), (.key(.cancelledByUser), nil, "481516", true),
        (.key(.failed(code: 1)), nil, "", false),
    ]

    @Test("each response to a PIN has its note", arguments: answers.indices) func eachAnswer(_ index: Int) throws {
        let row = Self.answers[index]
        var entry = try #require(PINEntry(.pinRequired(triesLeft: nil)))
        let request = Self.type("481516", into: &entry)
        #expect(request == .unlock("481516") && entry.isBusy)
        let others = [entry.submit(), entry.submitBiometrics()]
        #expect(others == [nil, nil])
        let goesOn = entry.take(row.error)
        #expect(goesOn == row.goesOn && !entry.isBusy)
        #expect(entry.note(Self.texts) == row.note && entry.field.digits == row.digits)
    }

    @Test("only a locked session unlocks by face or finger") func onlyALockedSessionUsesBiometrics() throws {
        var locked = try #require(PINEntry(.locked(.byApp)))
        var unset = try #require(PINEntry(.active(needsPIN: true)))
        let requests = [locked.submitBiometrics(), unset.submitBiometrics()]
        #expect(requests == [.unlockWithBiometrics, nil])
    }
}
