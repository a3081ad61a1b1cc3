/// What has been found out about one broker so far.
struct FindingList {
    let broker: String
    private(set) var all: [Finding] = []

    init(_ broker: String) { self.broker = broker }

    mutating func ok(_ subject: String, _ message: String) { self.add(.ok, subject, message) }
    mutating func warn(_ subject: String, _ message: String) { self.add(.warning, subject, message) }
    mutating func fail(_ subject: String, _ message: String) { self.add(.error, subject, message) }

    private mutating func add(_ level: Finding.Level, _ subject: String, _ message: String) {
        self.all.append(Finding(level, self.broker, subject, message))
    }
}
