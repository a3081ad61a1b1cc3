import Base
import EndToEndSupport
import Foundation
import HTTPWire
import Synchronization

/// The network of a phone under load: it loses responses, and sends the same bytes again until it gets one.
final class SoakPhoneWire: Sendable {
    let url: String
    let patience: SoakPatience
    private let random: SoakRandom
    private let newest = Mutex("none")
    private let lost: SoakCount

    /// The newest nonce in a response to this phone.
    var nonce: String { self.newest.withLock { $0 } }

    /// `lost` counts the responses that were lost on purpose.
    init(_ url: String, _ random: SoakRandom, _ patience: SoakPatience, lost: SoakCount) {
        (self.url, self.random, self.patience, self.lost) = (url, random, patience, lost)
    }

    /// Sends a request until it gets a response that is neither 429 nor 5xx.
    func send(_ method: String, _ path: String, _ fields: [Parameter], body: [UInt8] = []) async throws -> Answer {
        while self.random.number(in: 0...7) == 0 {
            self.lost.add()
            if self.random.number(in: 0...1) == 0 {
                _ = try? await TestClient.send(method, self.url + path, fields: fields, body: body)
            } else {
                try? await self.hangUp(method, path, fields, body)
            }
        }
        let answer = try await self.patience.ask("phone") {
            try await TestClient.send(method, self.url + path, fields: fields, body: body)
        }
        self.note(answer)
        return answer
    }

    func note(_ answer: Answer) {
        if let nonce = answer[.dpopNonce] { self.newest.withLock { $0 = nonce } }
    }

    /// Sends the request, and closes the connection a moment later without reading anything.
    private func hangUp(_ method: String, _ path: String, _ fields: [Parameter], _ body: [UInt8]) async throws {
        guard let port = URL(string: self.url)?.port else { return }
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: \(body.count)\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        let descriptor = try TestClient.connect(port: UInt16(port))
        defer { close(descriptor) }
        try TestClient.write(Array("\(head)\r\n".utf8) + body, to: descriptor)
        try await Task.sleep(for: self.random.milliseconds(0...8))
    }
}
