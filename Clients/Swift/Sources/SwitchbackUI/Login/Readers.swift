/// A value with any number of readers. Each reader begins with the present value, and one that goes away ends
/// nothing.
@MainActor final class Readers<Value: Sendable> {
    private(set) var present: Value
    private var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
    private var count = 0

    init(_ value: Value) { self.present = value }

    func makeStream() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.count += 1
        let number = self.count
        self.continuations[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { @MainActor in self?.continuations[number] = nil } }
        continuation.yield(self.present)
        return stream
    }

    func publish(_ value: Value) {
        self.present = value
        for continuation in self.continuations.values { continuation.yield(value) }
    }
}
