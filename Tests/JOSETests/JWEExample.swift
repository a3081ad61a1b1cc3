import JOSE
import Testing

/// Encrypted tokens of the RFCs, and of another implementation where the RFCs have no example.
struct JWEExample: Sendable, CustomTestStringConvertible {
    enum Key: Sendable {
        case pem(String)
        /// In base64url.
        case secret(String)
    }

    let testDescription: String
    let algorithm: KeyManagementAlgorithm
    let encryption: ContentEncryption
    let key: Key
    let keyID: String?
    let token: String
    let plaintext: String

    static let all: [JWEExample] = [
        JWEExample(
            testDescription: "RFC 7516 A.1: RSA-OAEP, A256GCM",
            algorithm: .rsaOAEP, encryption: .a256GCM, key: .pem(EncryptionKeyExample.rfc7516A1),
            keyID: nil,
            token: """
                eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.OKOawDo13gRp2ojaHV7LFpZcgV7T6DVZKTyKOMTYUmKoT\
                CVJRgckCL9kiMT03JGeipsEdY3mx_etLbbWSrFr05kLzcSr4qKAq7YN7e9jwQRb23nfa6c9d-StnImGyFDbSv04uVuxI\
                p5Zms1gNxKKK2Da14B8S4rzVRltdYwam_lDp5XnZAYpQdb76FdIKLaVmqgfwX7XWRxv2322i-vDxRfqNzo_tETKzpVLz\
                fiwQyeyPGLBIO56YJ7eObdv0je81860ppamavo35UgoRdbYaBcoh9QcfylQr66oc6vFWXRcZ_ZT2LawVCWTIy3brGPi6\
                UklfCpIMfIjf7iGdXKHzg.48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EF\
                ShS8iB7j6jiSdiwkIr3ajwQzaBtQD_A.XFBoMYUZodetZdvTiFvSkQ
                """,
            plaintext: "The true sign of intelligence is not knowledge but imagination."),
        JWEExample(
            testDescription: "RFC 7520 5.2: RSA-OAEP, A256GCM",
            algorithm: .rsaOAEP, encryption: .a256GCM, key: .pem(EncryptionKeyExample.samwise),
            keyID: "samwise.gamgee@hobbiton.example",
            token: """
                eyJhbGciOiJSU0EtT0FFUCIsImtpZCI6InNhbXdpc2UuZ2FtZ2VlQGhvYmJpdG9uLmV4YW1wbGUiLCJlbmMiOiJBMjU2\
                R0NNIn0.rT99rwrBTbTI7IJM8fU3Eli7226HEB7IchCxNuh7lCiud48LxeolRdtFF4nzQibeYOl5S_PJsAXZwSXtDePz\
                9hk-BbtsTBqC2UsPOdwjC9NhNupNNu9uHIVftDyucvI6hvALeZ6OGnhNV4v1zx2k7O1D89mAzfw-_kT3tkuorpDU-CpB\
                ENfIHX1Q58-Aad3FzMuo3Fn9buEP2yXakLXYa15BUXQsupM4A1GD4_H4Bd7V3u9h8Gkg8BpxKdUV9ScfJQTcYm6eJEBz\
                3aSwIaK4T3-dwWpuBOhROQXBosJzS1asnuHtVMt2pKIIfux5BC6huIvmY7kzV7W7aIUrpYm_3H4zYvyMeq5pGqFmW2k8\
                zpO878TRlZx7pZfPYDSXZyS0CfKKkMozT_qiCwZTSz4duYnt8hS4Z9sGthXn9uDqd6wycMagnQfOTs_lycTWmY-aqWVD\
                KhjYNRf03NiwRtb5BE-tOdFwCASQj3uuAgPGrO2AWBe38UjQb0lvXn1SpyvYZ3WFc7WOJYaTa7A8DRn6MC6T-xDmMuxC\
                0G7S2rscw5lQQU06MvZTlFOt0UvfuKBa03cxA_nIBIhLMjY2kOTxQMmpDPTr6Cbo8aKaOnx6ASE5Jx9paBpnNmOOKH35\
                j_QlrQhDWUN6A2Gg8iFayJ69xDEdHAVCGRzN3woEI2ozDRs.-nBoKLH0YkLZPSI9.o4k2cnGN8rSSw3IDo1YuySkqeS_\
                t2m1GXklSgqBdpACm6UJuJowOHC5ytjqYgRL-I-soPlwqMUf4UgRWWeaOGNw6vGW-xyM01lTYxrXfVzIIaRdhYtEMRBv\
                BWbEwP7ua1DRfvaOjgZv6Ifa3brcAM64d8p5lhhNcizPersuhw5f-pGYzseva-TUaL8iWnctc-sSwy7SQmRkfhDjwbz0\
                fz6kFovEgj64X1I5s7E6GLp5fnbYGLa1QUiML7Cc2GxgvI7zqWo0YIEc7aCflLG1-8BboVWFdZKLK9vNoycrYHumwzKl\
                uLWEbSVmaPpOslY2n525DxDfWaVFUfKQxMF56vn4B9QMpWAbnypNimbM8zVOw.UCGiqJxhBI3IFVdPalHHvA
                """,
            plaintext: Self.tolkien),
        JWEExample(
            testDescription: "RFC 7520 5.4: ECDH-ES+A128KW, A128GCM",
            algorithm: .ecdhESA128KW, encryption: .a128GCM, key: .pem(EncryptionKeyExample.peregrin),
            keyID: "peregrin.took@tuckborough.example",
            token: """
                eyJhbGciOiJFQ0RILUVTK0ExMjhLVyIsImtpZCI6InBlcmVncmluLnRvb2tAdHVja2Jvcm91Z2guZXhhbXBsZSIsImVw\
                ayI6eyJrdHkiOiJFQyIsImNydiI6IlAtMzg0IiwieCI6InVCbzRrSFB3Nmtiang1bDB4b3dyZF9vWXpCbWF6LUdLRlp1\
                NHhBRkZrYllpV2d1dEVLNml1RURzUTZ3TmROZzMiLCJ5Ijoic3AzcDVTR2haVkMyZmFYdW1JLWU5SlUyTW84S3BvWXJG\
                RHI1eVBOVnRXNFBnRXdaT3lRVEEtSmRhWTh0YjdFMCJ9LCJlbmMiOiJBMTI4R0NNIn0.0DJjBXri_kBcC46IkU5_Jk9B\
                qaQeHdv2.mH-G2zVqgztUtnW_.tkZuOO9h95OgHJmkkrfLBisku8rGf6nzVxhRM3sVOhXgz5NJ76oID7lpnAi_cPWJRC\
                jSpAaUZ5dOR3Spy7QuEkmKx8-3RCMhSYMzsXaEwDdXta9Mn5B7cCBoJKB0IgEnj_qfo1hIi-uEkUpOZ8aLTZGHfpl05j\
                MwbKkTe2yK3mjF6SBAsgicQDVCkcY9BLluzx1RmC3ORXaM0JaHPB93YcdSDGgpgBWMVrNU1ErkjcMqMoT_wtCex3w03X\
                dLkjXIuEr2hWgeP-nkUZTPU9EoGSPj6fAS-bSz87RCPrxZdj_iVyC6QWcqAu07WNhjzJEPc4jVntRJ6K53NgPQ5p99l3\
                Z408OUqj4ioYezbS6vTPlQ.WuGzxmcreYjpHGJoa17EBg
                """,
            plaintext: Self.tolkien),
        JWEExample(
            testDescription: "RFC 7520 5.5: ECDH-ES, A128CBC-HS256",
            algorithm: .ecdhES, encryption: .a128CBCHS256, key: .pem(EncryptionKeyExample.meriadoc),
            keyID: "meriadoc.brandybuck@buckland.example",
            token: """
                eyJhbGciOiJFQ0RILUVTIiwia2lkIjoibWVyaWFkb2MuYnJhbmR5YnVja0BidWNrbGFuZC5leGFtcGxlIiwiZXBrIjp7\
                Imt0eSI6IkVDIiwiY3J2IjoiUC0yNTYiLCJ4IjoibVBVS1RfYkFXR0hJaGcwVHBqanFWc1AxclhXUXVfdndWT0hIdE5r\
                ZFlvQSIsInkiOiI4QlFBc0ltR2VBUzQ2ZnlXdzVNaFlmR1RUMElqQnBGdzJTUzM0RHY0SXJzIn0sImVuYyI6IkExMjhD\
                QkMtSFMyNTYifQ..yc9N8v5sYyv3iGQT926IUg.BoDlwPnTypYq-ivjmQvAYJLb5Q6l-F3LIgQomlz87yW4OPKbWE1zS\
                TEFjDfhU9IPIOSA9Bml4m7iDFwA-1ZXvHteLDtw4R1XRGMEsDIqAYtskTTmzmzNa-_q4F_evAPUmwlO-ZG45Mnq4uhM1\
                fm_D9rBtWolqZSF3xGNNkpOMQKF1Cl8i8wjzRli7-IXgyirlKQsbhhqRzkv8IcY6aHl24j03C-AR2le1r7URUhArM79B\
                Y8soZU0lzwI-sD5PZ3l4NDCCei9XkoIAfsXJWmySPoeRb2Ni5UZL4mYpvKDiwmyzGd65KqVw7MsFfI_K767G9C9Azp73\
                gKZD0DyUn1mn0WW5LmyX_yJ-3AROq8p1WZBfG-ZyJ6195_JGG2m9Csg.WCCkNa-x4BeB9hIDIfFuhg
                """,
            plaintext: Self.tolkien),
        JWEExample(
            testDescription: "RFC 7520 5.6: dir, A128GCM",
            algorithm: .direct, encryption: .a128GCM, key: .secret("XctOhJAkA-pD9Lh7ZgW_2A"),
            keyID: "77c7e2b8-6e13-45cf-8672-617b5b45243a",
            token: """
                eyJhbGciOiJkaXIiLCJraWQiOiI3N2M3ZTJiOC02ZTEzLTQ1Y2YtODY3Mi02MTdiNWI0NTI0M2EiLCJlbmMiOiJBMTI4\
                R0NNIn0..refa467QzzKx6QAB.JW_i_f52hww_ELQPGaYyeAB6HYGcR559l9TYnSovc23XJoBcW29rHP8yZOZG7YhLpT\
                1bjFuvZPjQS-m0IFtVcXkZXdH_lr_FrdYt9HRUYkshtrMmIUAyGmUnd9zMDB2n0cRDIHAzFVeJUDxkUwVAE7_YGRPdcq\
                MyiBoCO-FBdE-Nceb4h3-FtBP-c_BIwCPTjb9o0SbdcdREEMJMyZBH8ySWMVi1gPD9yxi-aQpGbSv_F9N4IZAxscj5g-\
                NJsUPbjk29-s7LJAGb15wEBtXphVCgyy53CoIKLHHeJHXex45Uz9aKZSRSInZI-wjsY0yu3cT4_aQ3i1o-tiE-F8Ios6\
                1EKgyIQ4CWao8PFMj8TTnp.vbb32Xvllea2OtmHAdccRQ
                """,
            plaintext: Self.tolkien),
        JWEExample(
            testDescription: "jwcrypto: RSA-OAEP-256, A256CBC-HS512",
            algorithm: .rsaOAEP256, encryption: .a256CBCHS512, key: .pem(EncryptionKeyExample.rfc7516A1),
            keyID: nil,
            token: """
                eyJhbGciOiAiUlNBLU9BRVAtMjU2IiwgImVuYyI6ICJBMjU2Q0JDLUhTNTEyIn0.JKwXGepYe8dltWVfHy7-MI0dEBaF\
                Fjesuw30oMwgDYv43wP3la1Q4983nRv2Da1an85WcW-ghu16edA2IecqI8_vrFrlloZQQI2GogE_hgUWVDhD6zR4nhGx\
                ueANMX5y6hAtrIfvBqoJ7L3IkXXy0qp7WcFwNRcr5MwBDxmVT9Io7odZjkm4h3_sf6f0MYD3Ik_eJk4pmkFUV1J8sKR1\
                POI6NqPohga_MogjkEbu1jPkZQS0FIOnkJ2kccHqdgJ6SGsXK_HE5kiRcjTJJrsWeGAA8kBDGOPN3_J_02GK2zKa-66L\
                i5P96_4iAf2JfWgcJCDPFyo6GTtfB3aSi4jwGQ.HGfXKkpKG41f6X7cKqHMwA.NKXfIa4gtRrxp_zQDBqWbwaIFXML1T\
                9FHVA4UpY1lMIKUE_4TOfFqL19hPTU80Y9I5D5B9LDdY47ANOCKWPSxA.hoylsYPSf1toJChQsd9uPHWBmps4lRRYvMD\
                Zfjvj4FU
                """,
            plaintext: "You can trust us to stick with you through thick and thin"),
        JWEExample(
            testDescription: "jwcrypto: ECDH-ES with apu and apv on P-521, A256CBC-HS512",
            algorithm: .ecdhES, encryption: .a256CBCHS512, key: .pem(EncryptionKeyExample.bilbo),
            keyID: nil,
            token: """
                eyJhbGciOiJFQ0RILUVTIiwiYXB1IjoiUVd4cFkyVSIsImFwdiI6IlFtOWkiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwi\
                ZXBrIjp7ImNydiI6IlAtNTIxIiwia3R5IjoiRUMiLCJ4IjoiQUJxWjhuUGp3S1ZNbXVmSzU0c0IwVnBlYVlYcWQ5Wi1k\
                N1FmNG1Rb241RmlZcUNqNzduTVUzb3JRUE5PSWZOOEN5NV9tT3ktRmNYSmZYdWNiMGo4OW42NSIsInkiOiJBUlpqbjh2\
                Sng3WnRKdTE5RDlHVVlRUGJDcXJUWTVQT3EzNjBLa0k1dGFfdjhGSU90ZUJPd2JxaHFyVXVWcU0tVFpBcWNZQ0lGOVBw\
                QldLY0luaUt5V2FYIn19..FRrbc9aqrX0VBAAVMboVWQ.X7zwbazPlXfV3pKD0ZsOFJYjEpHElVhrw08X7txWqtVPXeE\
                Ghk-wEwo2wIdcue34bqD5p7dhKVreMTCXYFw7-A.tDAEqv84Mr2L-wtCq0I3Qehuns9YnDqQ6ydm4KkTIfI
                """,
            plaintext: "You can trust us to stick with you through thick and thin"),
        JWEExample(
            testDescription: "jwcrypto: ECDH-ES+A256KW with apu on P-256, A256GCM",
            algorithm: .ecdhESA256KW, encryption: .a256GCM, key: .pem(EncryptionKeyExample.bob),
            keyID: nil,
            token: """
                eyJhbGciOiJFQ0RILUVTK0EyNTZLVyIsImFwdSI6IlFXeHBZMlUiLCJlbmMiOiJBMjU2R0NNIiwiZXBrIjp7ImNydiI6\
                IlAtMjU2Iiwia3R5IjoiRUMiLCJ4IjoiczBQZFZKZXdoWlRCeUZDM2RwWFFaNTlydjhyb3licEY0Q2Q0a09xdzRkNCIs\
                InkiOiJUY3FLVUNLVVNZWjlnVDJOalJiTUF4dHZjRG81b2F0THpXYXNGZlJLM0xVIn19.O9VieBVdNteLCipkpptaAxJ\
                emQYf-tZml9uy3CXxIoahBuTVYRtJGA.ffJdd0fuTeU0PSOB.geDHsxeskk7TSZzz0X2BDdUBxXbDY5lWaexCDAfAWjL\
                0Wurc8QNfOXlRD984yOJ9RDJTLeL2EU0-.Y0VGLCqknVr8eKYCFTDAMA
                """,
            plaintext: "You can trust us to stick with you through thick and thin"),
    ]

    /// RFC 7520 §5, figure 72.
    private static let tolkien = """
        You can trust us to stick with you through thick and thin–to the bitter end. And you can trust u\
        s to keep any secret of yours–closer than you keep it yourself. But you cannot trust us to let y\
        ou face trouble alone, and go off without a word. We are your friends, Frodo.
        """
}
