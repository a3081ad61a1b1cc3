import Base

/// One request of the phone's app to its server, and the response. The function that sends it comes from outside.
package struct PhoneRequest: Sendable {
    package struct Answer: Sendable {
        package let status: Int
        package let fields: [Parameter]
        package let body: [UInt8]

        package init(status: Int, fields: [Parameter] = [], body: [UInt8]) {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }
    /// Throws if there is no response.
    package typealias Send = @Sendable (PhoneRequest) async throws -> Answer

    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    package enum Host: Sendable {
        case server
        /// The app's own API, which takes access tokens.
        case api
    }

    package let method: Method
    package let host: Host
    package let path: String
    package var fields: [Parameter] = []
    package var body: [UInt8] = []

    init(_ method: Method, _ path: String, of host: Host = .server) {
        self.method = method
        self.host = host
        self.path = path
    }

    func bearing(_ secret: String) -> Self {
        var call = self
        call.fields.append(Parameter("Authorization", "Bearer \(secret)"))
        return call
    }
}
