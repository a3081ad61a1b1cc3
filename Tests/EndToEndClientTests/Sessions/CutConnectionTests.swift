import Base
import EndToEndSupport
import Glibc
import HTTPWire
import PhoneKeys
import TestSupport
import Testing

/// Connections that break at each byte of each request and response of a session: nobody is signed out, no try comes
/// back or is spent twice, and no phone has two sessions.
@Suite(.blocking) struct CutConnectionTests {
    /// More bytes than any request or response here has.
    private static let longest = 2000

    /// Each row is a phone whose requests all break after this many bytes, and whose responses do too.
    @Test func `a connection may break at every byte`() async throws {
        let stage = try await SessionStage.start()
        let bytes = TableSample.rows("bytes at which connections break", of: Array(0..<Self.longest), oneOf: 125) { _ in
            ["any"]
        }
        for byte in bytes { try await Self.play(stage, try Line(stage, breakingAt: byte)) }
        await stage.stop()
    }

    private static func play(_ stage: SessionStage, _ line: Line) async throws {
        let phone = line.phone
        let app = try await stage.login(phone)
        let begun = try await line.send(try phone.beginning(app))
        #expect(begun.status == 200, "\(line.byte): \(begun.text)")
        let (session, token) = (phone.session, phone.refreshToken)
        #expect(session == phone.key.sessionID(app: phone.client))

        let pin = Secret(RandomBytes.make(32))
        let wrong = Secret(RandomBytes.make(32))
        #expect(try await line.send(try phone.settingPIN(pin)).status == 204, "\(line.byte)")
        // Every earlier phone of this user has ended its session.
        let sessions = try await line.send(try phone.listing()).json?["sessions"]?.array ?? []
        #expect(sessions.map { $0["id"]?.string } == [session], "\(line.byte)")
        #expect(try await line.send(try phone.renewal()).json?["refresh_token"]?.string == token, "\(line.byte)")

        // Each try has a newer nonce than the one before.
        for left in [4, 3] {
            stage.server.clock.advance(by: .seconds(1))
            let refused = try await line.send(try phone.renewal(pin: wrong))
            #expect(refused.brief == "400 wrong_pin", "\(line.byte)")
            #expect(refused.json?["tries_left"]?.integer == left, "\(line.byte): the try counts once")
        }
        stage.server.clock.advance(by: .seconds(1))
        let unlocked = try await line.send(try phone.renewal(pin: pin))
        #expect(unlocked.json?["refresh_token"]?.string == token, "\(line.byte): \(unlocked.text)")
        #expect(phone.session == session)

        #expect(try await line.send(try phone.ending(session)).status == 204, "\(line.byte)")
        #expect(try await line.send(phone.revocation()).status == 200, "\(line.byte)")
        #expect(try await phone.send(try phone.renewal()).brief == "400 invalid_grant", "\(line.byte)")
    }

    /// The connections of a phone: each request breaks twice before it gets its response.
    private struct Line: Sendable {
        let phone: SessionPhone
        let byte: Int
        private let port: UInt16

        init(_ stage: SessionStage, breakingAt byte: Int) throws {
            self.phone = try SessionPhone(stage.server.url)
            self.byte = byte
            self.port = stage.server.port
        }

        /// Sends a part of the request, then the whole request for a part of its response, and then the same bytes for
        /// all of it.
        func send(_ request: SessionPhone.Request) async throws -> Answer {
            var head = "\(request.method) \(request.path) HTTP/1.1\r\nHost: 127.0.0.1:\(self.port)\r\n"
            head += "Connection: close\r\n"
            for field in request.fields { head += "\(field.name): \(field.value)\r\n" }
            let bytes = Array("\(head)Content-Length: \(request.body.count)\r\n\r\n".utf8) + request.body
            #expect(bytes.count < CutConnectionTests.longest)
            try self.exchange(bytes.prefix(min(self.byte, bytes.count - 1)), reading: 0)
            try self.exchange(bytes[...], reading: self.byte)
            let answer = try await self.phone.send(request)
            #expect(answer.body.count + 500 < CutConnectionTests.longest, "with its head")
            return answer
        }

        /// Sends these bytes, reads at most `count`, and resets the connection.
        private func exchange(_ bytes: ArraySlice<UInt8>, reading count: Int) throws {
            let descriptor = try TestClient.connect(port: self.port)
            defer { close(descriptor) }
            try TestClient.write(Array(bytes), to: descriptor)
            var (received, buffer) = (0, [UInt8](repeating: 0, count: CutConnectionTests.longest))
            while received < count {
                let new = recv(descriptor, &buffer, count - received, 0)
                guard new > 0 else { break }
                received += new
            }
            var reset = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        }
    }
}
