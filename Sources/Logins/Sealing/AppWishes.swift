/// What the app asked for that may name a person: its authorize parameters and its nonce. Sealed with the login.
struct AppWishes {
    let nonce: String?
    let parameters: [(name: String, value: String)]

    init(_ request: LoginRequest) {
        self.nonce = request.nonce
        self.parameters = request.parameters
    }

    var isEmpty: Bool { self.nonce == nil && self.parameters.isEmpty }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(self.nonce)
        writer.write(self.parameters.count)
        for (name, value) in self.parameters {
            writer.write(name)
            writer.write(value)
        }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(ByteReader.Malformed) {
        var reader = ByteReader(bytes)
        self.nonce = try reader.optionalString()
        var parameters: [(name: String, value: String)] = []
        for _ in 0..<max(0, try reader.integer()) {
            parameters.append((try reader.string(), try reader.string()))
        }
        self.parameters = parameters
    }
}
