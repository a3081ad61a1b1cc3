/// Keeps a number of phones busy, each with one request at a time.
final class SoakPhones: Sendable {
    let tally = SoakPhoneTally()
    let patience: SoakPatience
    private let url: String
    private let count: Int
    private let width: Int
    private let random: SoakRandom

    /// `width` is how many of the phones do something at a time.
    init(_ url: String, count: Int, width: Int, _ random: SoakRandom) {
        self.url = url
        self.count = count
        self.width = min(width, count)
        self.random = random
        self.patience = SoakPatience(random)
    }

    /// Uses the phones in a random order while `isWanted` returns true. Then each checks that its session is there.
    func run(while isWanted: @escaping @Sendable () -> Bool) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for worker in 0..<self.width { group.addTask { try await self.work(worker, while: isWanted) } }
        }
    }

    private func work(_ worker: Int, while isWanted: @Sendable () -> Bool) async throws {
        var phones = try stride(from: worker, to: self.count, by: self.width).map { number in
            try SoakPhone(number, self.url, self.random, self.patience, self.tally)
        }
        while isWanted(), !Task.isCancelled, !self.isHopeless {
            // Every other turn is for a phone that is new, if there is one.
            let new = self.random.number(in: 0...1) == 0 ? phones.firstIndex { !$0.isReady } : nil
            let index = new ?? self.random.number(in: 0...(phones.count - 1))
            await phones[index].act()
        }
        for index in phones.indices where !self.isHopeless { await phones[index].settle() }
    }

    /// After a hundred complaints more requests would show nothing new.
    private var isHopeless: Bool { self.tally.complaints.count >= 100 }
}
