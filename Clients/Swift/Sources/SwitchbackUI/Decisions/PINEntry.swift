import SwitchbackClient

/// What a screen for a PIN asks for, and what follows from what the user typed.
struct PINEntry: Hashable, Sendable {
    /// What the screen is for.
    enum Purpose: Hashable, Sendable {
        case unlock
        case choose
    }

    /// What the session has to do.
    enum Request: Hashable, Sendable {
        case unlock(String)
        case unlockWithBiometrics
        case set(String)
    }

    /// What was wrong with the last try.
    private enum Note: Hashable, Sendable {
        case wrong
        case different
        case easy
        case noResponse
    }

    let purpose: Purpose
    var field = DigitField(limit: 32)
    /// Whether the session has a PIN to judge, so that the buttons wait.
    private(set) var isBusy = false
    private var firstPIN: String?
    private var note: Note?
    private var triesLeft: Int?

    private init(_ purpose: Purpose) { self.purpose = purpose }

    /// Reads a state of the session. Nil if a PIN would not help.
    init?(_ state: SessionState) {
        switch state.kind {
        case .active where state.needsPIN: self.init(.choose)
        case .locked where state.lockReason != .deviceLocked, .pinRequired: self.init(.unlock)
        default: return nil
        }
        self.triesLeft = state.triesLeft
    }

    /// The user wants to use a face or finger.
    mutating func submitBiometrics() -> Request? {
        guard self.purpose == .unlock, !self.isBusy else { return nil }
        (self.isBusy, self.note) = (true, nil)
        return .unlockWithBiometrics
    }

    /// A PIN is six digits or more.
    var isComplete: Bool { self.field.digits.count >= 6 && !self.isBusy }

    /// The user says that the PIN is whole. Returns nil if there is nothing for the session to do.
    mutating func submit() -> Request? {
        guard self.isComplete else { return nil }
        let pin = self.field.digits
        if self.purpose == .unlock {
            (self.isBusy, self.note) = (true, nil)
            return .unlock(pin)
        }
        guard let firstPIN else {
            self.field.clear()
            self.note = Self.isEasy(pin) ? .easy : nil
            self.firstPIN = self.note == nil ? pin : nil
            return nil
        }
        guard firstPIN == pin else {
            self.field.clear()
            (self.firstPIN, self.note) = (nil, .different)
            return nil
        }
        (self.isBusy, self.note) = (true, nil)
        return .set(pin)
    }

    /// The session has answered: nil if it took the PIN. Returns whether the user can do something here, and not only
    /// the app.
    mutating func take(_ error: SessionError?) -> Bool {
        self.isBusy = false
        switch error?.kind {
        case .noResponse?:
            // What was typed stays: the same PIN again is the same try.
            self.note = .noResponse
            return true
        case .wrongPIN?:
            self.field.clear()
            (self.note, self.triesLeft) = (.wrong, error?.triesLeft)
            return true
        // The user typed no PIN, and still can.
        case .key? where error?.keyFailure == .cancelledByUser, .noBiometrics? where self.purpose == .unlock:
            return true
        default:
            self.field.clear()
            (self.note, self.firstPIN) = (nil, nil)
            return error == nil
        }
    }

    /// Whether neighbours always differ by the same, as in 111111, 123456 and 987654.
    private static func isEasy(_ pin: String) -> Bool {
        let values = pin.utf8.map { Int($0) }
        return Set(zip(values, values.dropFirst()).map { ($1 - $0 + 10) % 10 }).count <= 1
    }
}

extension PINEntry {
    func title(_ texts: ScreenTexts) -> String {
        switch self.purpose {
        case .unlock: texts.pinTitle
        case .choose: self.firstPIN == nil ? texts.newPINTitle : texts.repeatPINTitle
        }
    }

    func text(_ texts: ScreenTexts) -> String? {
        self.purpose == .choose && self.firstPIN == nil ? texts.newPINText : nil
    }

    /// What was wrong, and how many tries are left.
    func note(_ texts: ScreenTexts) -> String? {
        let sentence: String? =
            switch self.note {
            case .wrong?: texts.wrongPINText
            case .different?: texts.differentPINText
            case .easy?: texts.easyPINText
            case .noResponse?: texts.noResponseText
            case nil: nil
            }
        let tries = self.triesLeft.map { "\(texts.triesLabel): \($0)" }
        let parts = [sentence, tries].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
