import Foundation
import StrictJSON

/// A response of a provider of the habits.
struct HabitAnswer {
    var status = 200
    var type = "application/json"
    var body = ""
    var location: String?

    static func json(_ json: JSON, status: Int = 200, type: String = "application/json") -> Self {
        Self(status: status, type: type, body: String(decoding: json.encoded(), as: UTF8.self))
    }

    static func page(_ status: Int, _ text: String) -> Self { Self(status: status, type: "text/html", body: text) }

    var bytes: String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let location = self.location.map { "Location: \($0)\r\n" } ?? ""
        return """
            HTTP/1.1 \(self.status) x\r
            Date: \(formatter.string(from: Date()))\r
            Content-Type: \(self.type)\r
            Content-Length: \(self.body.utf8.count)\r
            \(location)\r
            \(self.body)
            """
    }
}
