/// One call of the phone's app to its server, and the answer to it. Who makes it is told from outside.
import StrictJSON

package struct PhoneCall: Sendable {
    package typealias Answer = (status: Int, body: [UInt8])
    /// Throws when there is no answer.
    package typealias Send = @Sendable (PhoneCall) async throws -> Answer

    /// GET, POST or DELETE.
    package let method: String
    package let path: String
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8] = []

    init(_ method: String, _ path: String) {
        self.method = method
        self.path = path
    }

    static func post(_ path: String, _ json: JSON.Object? = nil) -> Self {
        var call = Self("POST", path)
        guard let json else { return call }
        call.fields = [("Content-Type", "application/json")]
        call.body = JSON.object(json).encoded()
        return call
    }

    func bearing(_ secret: String) -> Self {
        var call = self
        call.fields.append(("Authorization", "Bearer \(secret)"))
        return call
    }

    /// RFC 7240.
    func waiting(_ seconds: Int) -> Self {
        var call = self
        call.fields.append(("Prefer", "wait=\(seconds)"))
        return call
    }
}
