/// Names something that a loop is going to do later, so that it can be cancelled.
package struct Deadline: Hashable, Sendable {
    let token: TimingWheel<@Sendable () -> Void>.Token
}
