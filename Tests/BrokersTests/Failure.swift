@testable import Brokers

/// A broker's failure as apps and logs tell it, which is how the tables of tests write it.
struct Failure: Equatable {
    let kind: BrokerError.Kind
    let detail: String

    init(_ kind: BrokerError.Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}

extension BrokerError {
    var told: Failure { Failure(self.kind, self.detail) }
}
