/// What a broker is sent signed, and with which key or secret.
import Base
import JOSE
import OpenIDConnect

extension SettingScope {
    private var authentication: Configuration.Broker.Authentication? { self.choice("client_authentication") }

    private var secret: Secret? { self.text("client_secret").map { Secret($0) } }

    var signsRequestObjects: Bool {
        let style: Client.RequestStyle? = self.choice("request_style")
        return style?.isSigned ?? false
    }

    /// The algorithm of request objects, if it is one with the client secret.
    private var requestObjectMAC: MACAlgorithm? { self.choice("request_object_algorithm") }

    /// True where a key of ours signs something.
    var needsSigningKey: Bool {
        self.authentication == .privateKeyJWT || (self.signsRequestObjects && self.requestObjectMAC == nil)
    }

    /// True where the client secret is a key.
    var needsSecretAsKey: Bool {
        self.authentication == .clientSecretJWT || (self.signsRequestObjects && self.requestObjectMAC != nil)
    }

    /// Nil where nothing is signed, or where no key fits: a rule reports that.
    func assertionSigner(_ files: NamedFiles) -> JWTSigner? {
        switch self.authentication {
        case .privateKeyJWT:
            files.signingKeys.signer(self.choice("signing_algorithm"))
        case .clientSecretJWT:
            self.secret.flatMap { try? JWTSigner(secret: $0, algorithm: .hs256) }
        case .clientSecretBasic, .clientSecretPost, .tlsClientAuth, .selfSignedTLSClientAuth, nil:
            nil
        }
    }

    /// Nil where nothing is signed, or where no key fits: a rule reports that.
    func requestObjectSigner(_ files: NamedFiles) -> JWTSigner? {
        guard self.signsRequestObjects else { return nil }
        if let algorithm = self.requestObjectMAC {
            return self.secret.flatMap { try? JWTSigner(secret: $0, algorithm: algorithm) }
        }
        return files.signingKeys.signer(self.choice("request_object_algorithm") ?? self.choice("signing_algorithm"))
    }
}
