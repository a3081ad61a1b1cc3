import Foundation
import SwitchbackClient

/// A line from the run: an order, or the answer to a question.
struct Line: Decodable, Sendable {
    /// What to do; nil in an answer.
    var order: String?
    var provider: String?
    var app: String?
    var text: String?
    /// The number of the question; nil in an order.
    var number: Int?
    /// The response of the server. Without it, the network has lost the request or its response.
    var status: Int?
    var fields: [String: String]?
    /// The body of a response, a public key or a signature; nil if there is none.
    var data: Data?
}

/// A question to the run, which plays the network and the chip that keeps the keys.
struct Question: Encodable, Sendable {
    let question: String
    var number = 0
    var key: String?
    var method: String?
    var url: String?
    var fields: [String: String]?
    var data: Data?
    var timeout: Double?
}

/// What the phone reports about a login.
struct Report: Encodable, Sendable {
    var kind: String
    var status: String?
    var isFinal = false
    var action: String?
    var url: String?
    var triesLeft: Int?
    var reason: String?
    var error: String?
    var login: String?
    var subject: String?
    var hasAssertion = false
    /// The access token of a session, or nothing.
    var token: String?
}

/// The program that started this one. It plays everything that a phone has around the library.
actor Run {
    private struct Lost: Error {}

    private var lastNumber = 0
    private var waiting: [Int: CheckedContinuation<Line, any Error>] = [:]

    /// Writes a report as one line.
    func tell(_ report: Report) { self.write(report) }

    /// Sends a request of the library.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let line = try await self.ask(
            Question(
                question: "send", method: request.method, url: request.url.absoluteString, fields: request.fields,
                data: request.body, timeout: request.timeout))
        guard let status = line.status else { throw Lost() }
        return HTTPResponse(status: status, fields: line.fields ?? [:], body: line.data ?? Data())
    }

    /// Asks, and waits for the answer or for the end of this task.
    func ask(_ question: Question) async throws -> Line {
        self.lastNumber += 1
        let number = self.lastNumber
        var question = question
        question.number = number
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.waiting[number] = continuation
                self.write(question)
            }
        } onCancel: {
            Task { await self.forget(number) }
        }
    }

    /// Takes the answer to a question.
    func take(_ line: Line) {
        guard let number = line.number else { return }
        self.waiting.removeValue(forKey: number)?.resume(returning: line)
    }

    private func forget(_ number: Int) {
        self.waiting.removeValue(forKey: number)?.resume(throwing: CancellationError())
    }

    private func write(_ value: some Encodable) {
        guard let data = try? JSONEncoder().encode(value) else { return }
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}
