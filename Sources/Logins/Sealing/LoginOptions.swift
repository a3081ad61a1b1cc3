import Base

/// The parameters of the create request that we need later: the app's nonce, its authorize parameters, whether to
/// switch apps, the thumbprint of its session's key, and the actions that the client knows. They may identify a user,
/// so the row stores them encrypted.
struct LoginOptions {
    let nonce: String?
    let switchesApps: Bool
    let system: String?
    let parameters: [Parameter]
    let dpopThumbprint: String?
    let actions: KnownActions

    init(_ request: LoginRequest) {
        self.nonce = request.nonce
        // If the e-ID's app is not installed, the e-ID has to use the browser, if it can.
        self.switchesApps = request.appSwitch && request.eidAppInstalled != false
        self.system = request.os
        self.parameters = request.parameters
        self.dpopThumbprint = request.dpopThumbprint
        self.actions = request.actions
    }

    var isEmpty: Bool {
        self.nonce == nil && self.parameters.isEmpty && self.switchesApps && self.system == nil
            && self.dpopThumbprint == nil && self.actions == .usual
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
        // At the end, where versions that do not know them do not look. A version that knows the thumbprint and not the
        // actions reads the empty one as a thumbprint of no key, and begins no session of this login.
        if let thumbprint = self.dpopThumbprint ?? (self.actions == .usual ? nil : "") { writer.write(thumbprint) }
        if self.actions != .usual {
            writer.write(self.actions.names.count)
            for name in self.actions.names { writer.write(name) }
        }
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
        // Earlier versions wrote neither.
        let thumbprint = reader.isAtEnd ? "" : try reader.readString()
        self.dpopThumbprint = thumbprint.isEmpty ? nil : thumbprint
        guard !reader.isAtEnd else {
            self.actions = .usual
            return
        }
        var names: [String] = []
        for _ in 0..<max(0, try reader.readInteger()) { names.append(try reader.readString()) }
        self.actions = KnownActions(names)
    }
}
