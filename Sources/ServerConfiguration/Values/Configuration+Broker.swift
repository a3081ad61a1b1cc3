// A broker: its identity, how this server authenticates to it, and which of its responses are valid.

import Base
import Brokers
import JOSE
import OpenIDConnect

extension Configuration {
    /// What its settings say by themselves is read by their declarations in `CommonBrokerSettings`: `broker.issuer`.
    @dynamicMemberLookup
    package struct Broker: Sendable {
        package typealias Authentication = CommonBrokerSettings.Authentication
        package typealias BasicEncoding = CommonBrokerSettings.BasicEncoding
        package typealias Callback = CommonBrokerSettings.Callback
        package typealias Kind = KnownKind

        package let id: String
        let settings: SettingValues<CommonBrokerSettings>
        /// How it differs from plain OpenID Connect. Nil if it does not speak OpenID Connect.
        package let openID: (any BrokerKind)?
        /// Set if client assertions are signed.
        package private(set) var assertionSigner: JWTSigner?
        /// Set if request objects are signed.
        package private(set) var requestObjectSigner: JWTSigner?
        /// Set for kind digid.
        package let digid: DigiDOptions?

        init(_ scope: SettingScope, _ files: ReferencedFiles) {
            self.id = scope.name
            self.settings = scope.values()
            self.openID = self.settings.kind.openID(scope)
            self.assertionSigner = scope.assertionSigner(files)
            self.requestObjectSigner = scope.requestObjectSigner(files)
            self.digid = scope.digid(self.settings.kind, files)
        }

        /// The same broker, whose signatures with our own keys are made by what `signer` returns.
        package func signing(with signer: (SignatureAlgorithm) -> JWTSigner?) -> Broker {
            var broker = self
            broker.assertionSigner = Self.replaced(self.assertionSigner, signer)
            broker.requestObjectSigner = Self.replaced(self.requestObjectSigner, signer)
            return broker
        }

        /// A signer with the client secret stays.
        private static func replaced(
            _ former: JWTSigner?, _ signer: (SignatureAlgorithm) -> JWTSigner?
        ) -> JWTSigner? {
            guard let former, let algorithm = SignatureAlgorithm(rawValue: former.algorithmName) else { return former }
            return signer(algorithm) ?? former
        }

        package subscript<Value>(dynamicMember declaration: KeyPath<CommonBrokerSettings, Setting<Value>>) -> Value {
            self.settings[dynamicMember: declaration]
        }

        package var basicEncoding: BasicEncoding {
            self.ownBasicEncoding ?? (self.kind.encodesCredentials ? .form : .raw)
        }

        /// DigiD's app supports no other way to return.
        package var callback: Callback { self.kind == .digid ? .app : self.ownCallback }
    }
}

/// What we sign for a broker, and with which key or secret.
extension SettingScope {
    var brokerKind: Configuration.Broker.Kind? { self.choice("kind") }

    var brokerCallback: Configuration.Broker.Callback? { self.choice("callback") }

    var brokerAuthentication: Configuration.Broker.Authentication? { self.choice("client_authentication") }

    private var secret: Secret? { self.text("client_secret").map { Secret($0) } }

    var signsRequestObjects: Bool {
        let style: Client.RequestStyle? = self.choice("request_style")
        return style?.isSigned ?? false
    }

    /// The algorithm of request objects, if it uses the client secret.
    private var requestObjectMAC: MACAlgorithm? { self.choice("request_object_algorithm") }

    /// True if one of our keys signs something.
    var needsSigningKey: Bool {
        self.brokerAuthentication == .privateKeyJWT || (self.signsRequestObjects && self.requestObjectMAC == nil)
    }

    /// True if the client secret is a key.
    var needsSecretAsKey: Bool {
        self.brokerAuthentication == .clientSecretJWT || (self.signsRequestObjects && self.requestObjectMAC != nil)
    }

    /// Returns nil if nothing is signed, or if no key fits, which a rule reports.
    func assertionSigner(_ files: ReferencedFiles) -> JWTSigner? {
        switch self.brokerAuthentication {
        case .privateKeyJWT:
            files.signingKeys.signer(self.choice("signing_algorithm"))
        case .clientSecretJWT:
            self.secret.flatMap { try? JWTSigner(secret: $0, algorithm: .hs256) }
        case .clientSecretBasic, .clientSecretPost, .tlsClientAuth, .selfSignedTLSClientAuth, nil:
            nil
        }
    }

    /// Returns nil if nothing is signed, or if no key fits, which a rule reports.
    func requestObjectSigner(_ files: ReferencedFiles) -> JWTSigner? {
        guard self.signsRequestObjects else { return nil }
        if let algorithm = self.requestObjectMAC {
            return self.secret.flatMap { try? JWTSigner(secret: $0, algorithm: algorithm) }
        }
        return files.signingKeys.signer(self.choice("request_object_algorithm") ?? self.choice("signing_algorithm"))
    }
}

extension SettingScope: OptionValues {
    var place: String { "\(self.path)" }

    /// Returns nil for any other kind.
    fileprivate func digid(_ kind: KnownKind, _ files: ReferencedFiles) -> DigiDOptions? {
        guard kind == .digid else { return nil }
        let isNumber = self.text("subject_claim").map(NationalNumberClaim.isOne) ?? false
        let key = files.signingKeys.first { $0.fits(.rs256) }
        guard let digid = DigiDOptions(self, key: key?.key, personKey: isNumber ? files.personKey : nil) else {
            preconditionFailure("a checked configuration has a resolver")
        }
        return digid
    }
}
