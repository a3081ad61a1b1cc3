/// What a call answers when it is sent again, if that is something else than before.
enum CallRepeat {
    static func note(of call: RecordedCall) -> String? { nil }
}
