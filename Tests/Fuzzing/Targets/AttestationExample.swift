import Attestation
import Base

/// The roots, apps, keys and time of the attestation targets. SWITCHBACK_WRITE_SEEDS=1 makes others (`FuzzSeedTests`).
enum AttestationExample {
    static let app = "1234567890.com.example.app"
    static let androidApp = TrustedAndroidApp(
        package: "com.example.app", signers: [[UInt8](repeating: 3, count: 32)])
    static let challenge = [UInt8](repeating: 7, count: 32)
    static let thumbprint = "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk"
    static let keyThumbprint = "tySi0o30qApe4Mau3DsvqEG4kATkOYR7A6SYHaGnUp0"
    static let now = Timestamp(seconds: 1_800_000_000)
    static let authenticatorData = Base64.decode(
        "4EWPcZFRJj9gJNhRq4JAL2yGRp1MXn3lXTbQsvWNrqZAAAAAAGFwcGF0dGVzdAAAAAAAAAAAIGuPuzHF"
            + "+5nUGHWxrC3Oyhxk4HORVcRkJ7Sym3qBpA3ppQECAyYgASFYIMC/LS859glG8+xeIgxjR1LslUz/9Y5u"
            + "tEucVr8rejB0Ilggm5KxyOr70Kr2tGkpoWxiulfkkydQ0fS4Cc+nkP2klY0=")
    static let appleRoots = try? TrustedRoots(pem: Array(Self.appleRoot.utf8))
    static let googleRoots = try? TrustedRoots(pem: Array(Self.googleRoot.utf8))

    private static let appleRoot = """
        -----BEGIN CERTIFICATE-----
        MIIBgzCCAQmgAwIBAgIBATAKBggqhkjOPQQDAzAiMSAwHgYDVQQDDBdBcHAgQXR0
        ZXN0YXRpb24gUm9vdCBDQTAeFw0yNzAxMTQwODAwMDBaFw0yNzAxMTYwODAwMDBa
        MCIxIDAeBgNVBAMMF0FwcCBBdHRlc3RhdGlvbiBSb290IENBMHYwEAYHKoZIzj0C
        AQYFK4EEACIDYgAEWx7kT88aQQOXvJORx8R+MvvhPMOpeAj/zaCEbh7Rvzbfp0Jm
        VNL//AAvSUPmG9/zeykqnaKZxJOntP2GMo1elOwmcN5anXbtlhAsCqsqUjilhEQV
        Fw+o4OE2KkySmEUQoxMwETAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMDA2gA
        MGUCMB0NoXy25lofc4xSOQ+R6dYavTsI01Ne658Fi5BUJTaV+lUr4+qNp+CJDbSb
        P8TvfAIxAI5kk7COEGHnIAHGIf5zvJzO15oV52hW2Wxz9c3sF+ciT/tgWkPyK951
        oG3BuXNMhw==
        -----END CERTIFICATE-----
        """

    private static let googleRoot = """
        -----BEGIN CERTIFICATE-----
        MIIBpTCCASugAwIBAgIBAjAKBggqhkjOPQQDAzAzMRwwGgYDVQQDDBNLZXkgQXR0
        ZXN0YXRpb24gQ0ExMRMwEQYDVQQKDApHb29nbGUgTExDMB4XDTI3MDExNDA4MDAw
        MFoXDTI3MDExNjA4MDAwMFowMzEcMBoGA1UEAwwTS2V5IEF0dGVzdGF0aW9uIENB
        MTETMBEGA1UECgwKR29vZ2xlIExMQzB2MBAGByqGSM49AgEGBSuBBAAiA2IABFFJ
        T15VSX3i5uQvSjSrWyOhUmJOHVcbPp+ALEYOisepvXBc5WF6U6I/osjzyWJGoiCd
        G543ZunsMo/YLHr4VvTw+j1x0OW2L1zkcRSBMDgkS/6Zd0y5wv/KY9ol/qaC9KMT
        MBEwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAwNoADBlAjEA0IYEq+Sd6/Kw
        CEIqwmIhpfIodb+vhx6KQO0P+XZk4JVtwklM3Y9ukVL3UZluoprdAjAZVKmcCCXa
        Qs9WTCy4YDVy1wCUnMFtQg1RkGq0I2kr0oc/yUTVuR0qMnTzz1oJTns=
        -----END CERTIFICATE-----
        """
}
