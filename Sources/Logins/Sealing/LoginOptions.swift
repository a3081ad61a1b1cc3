import Base

/// The parameters of the create request that we need later: the app's nonce, its authorize parameters, whether to
/// switch apps, and the thumbprint of its session's key. They may identify a user, so the row stores them encrypted.
struct LoginOptions {
    let nonce: String?
    let switchesApps: Bool
    let system: String?
    let parameters: [Parameter]
    let dpopThumbprint: String?

    init(_ request: LoginRequest) {
        self.nonce = request.nonce
        // If the e-ID's app is not installed, the e-ID has to use the browser, if it can.
        self.switchesApps = request.appSwitch && request.eidAppInstalled != false
        self.system = request.os
        self.parameters = request.parameters
        self.dpopThumbprint = request.dpopThumbprint
    }

    var isEmpty: Bool {
        self.nonce == nil && self.parameters.isEmpty && self.switchesApps && self.system == nil
            && self.dpopThumbprint == nil
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(self.nonce)
        writer.write(UInt8(self.switchesApps ? 1 : 0))
        writer.write(self.system)
        writer.write(self.parameters.count)
        for parameter in self.parameters {
            writer.write(parameter.name)
            writer.write(parameter.value)
        }
        // At the end, where the version before does not look.
        if let thumbprint = self.dpopThumbprint { writer.write(thumbprint) }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(ByteReaderError) {
        var reader = ByteReader(bytes)
        self.nonce = try reader.readOptionalString()
        self.switchesApps = try reader.readByte() == 1
        self.system = try reader.readOptionalString()
        var parameters: [Parameter] = []
        for _ in 0..<max(0, try reader.readInteger()) {
            parameters.append(Parameter(try reader.readString(), try reader.readString()))
        }
        self.parameters = parameters
        // The version before wrote none.
        self.dpopThumbprint = reader.isAtEnd ? nil : try reader.readString()
    }
}
