import HTTPWire

/// What a connection needs only while it reads a request. A loop keeps one for the next reader.
final class RequestAssembler {
    @exclusivity(unchecked) var parser: RequestParser
    var head: RequestHead?
    var body: [UInt8] = []
    /// The client waits for `100 Continue` before it sends the body.
    var awaitsContinue = false

    init(limits: RequestParser.Limits) { self.parser = RequestParser(limits: limits) }

    /// True when it contains no part of a request, so that another connection can use it.
    var isUnused: Bool { self.parser.isIdle }

    func begin(_ head: RequestHead, expecting expectation: Expectation) {
        self.head = head
        self.awaitsContinue = expectation == .continue
    }

    func append(_ part: [UInt8]) {
        if self.body.isEmpty { self.body = part } else { self.body.append(contentsOf: part) }
    }

    /// Whether to send `100 Continue`. A client that has begun to send the body does not wait for it.
    func takeContinue() -> Bool {
        guard self.awaitsContinue else { return false }
        self.awaitsContinue = false
        return self.body.isEmpty && self.parser.unread == 0
    }

    /// Returns the request that is complete now.
    func takeRequest() -> Request? {
        guard let head = self.head.take() else { return nil }
        self.awaitsContinue = false
        var body: [UInt8] = []
        swap(&body, &self.body)
        return Request(head: head, body: body)
    }
}
