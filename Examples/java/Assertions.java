// The backend of an app: takes an assertion from the app, and says whose account it is.
//
// It was compiled and NOT RUN. `make check` compiles it against small stand-ins for Nimbus JOSE+JWT
// (Tests/Samples/nimbus), which have the signatures of that library's documentation and do nothing, because Debian has
// no package of the library. Run it against your server before you rely on it. The samples in Python, Node and Go
// beside it are run, and make the same checks.
//
// Dependency: com.nimbusds:nimbus-jose-jwt, 9.25 or later (JWKSourceBuilder).
// Documentation: https://connect2id.com/products/nimbus-jose-jwt/examples/validating-jwt-access-tokens and
// https://connect2id.com/products/nimbus-jose-jwt/examples/signed-and-encrypted-jwt

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEDecrypter;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Verifies the assertions of one app. */
public final class Assertions {
    /** The assertion was refused. The text is for the log. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String reason) {
            super(reason);
        }
    }

    // What this backend accepts, whatever a token or a document says.
    private static final Set<JWSAlgorithm> ALGORITHMS =
        Set.of(JWSAlgorithm.ES256, JWSAlgorithm.ES384, JWSAlgorithm.ES512, JWSAlgorithm.PS256, JWSAlgorithm.RS256);
    private static final Set<JWEAlgorithm> KEY_ALGORITHMS =
        Set.of(JWEAlgorithm.RSA_OAEP_256, JWEAlgorithm.ECDH_ES, JWEAlgorithm.ECDH_ES_A256KW);
    // "none" is left out: it does not show on whose phone the user logged in.
    private static final Set<String> PROOFS = Set.of("callback_link", "switch_link", "page_link", "page_code");
    /** Seconds that our clock may differ from the issuer's. */
    private static final int LEEWAY = 30;

    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    private final Set<String> providers;
    private final JWEDecrypter decrypter;
    /** With several servers, use a table with a unique column. */
    private final Map<String, Instant> seen = new LinkedHashMap<>();

    /**
     * @param type the app's assertion_typ, {@code login+jwt} by default
     * @param decrypter {@code new ECDHDecrypter(key)} or {@code new RSADecrypter(key)} with the private key of
     *     assertion_key; then only encrypted assertions are accepted. Null if there is no such key
     */
    public Assertions(
            String issuer, String audience, String type, Set<String> providers, JWEDecrypter decrypter)
            throws IOException, InterruptedException, ParseException {
        this.providers = Set.copyOf(providers);
        this.decrypter = decrypter;
        Map<String, Object> document = discover(issuer);
        Set<JWSAlgorithm> algorithms = new HashSet<>();
        for (String name : JSONObjectUtils.getStringList(document, "id_token_signing_alg_values_supported")) {
            algorithms.add(JWSAlgorithm.parse(name));
        }
        algorithms.retainAll(ALGORITHMS);
        JWKSource<SecurityContext> keys = JWKSourceBuilder
            .create(URI.create(JSONObjectUtils.getString(document, "jwks_uri")).toURL()).retrying(true).build();
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType(type)));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys));
        DefaultJWTClaimsVerifier<SecurityContext> claims = new DefaultJWTClaimsVerifier<>(
            audience, new JWTClaimsSet.Builder().issuer(issuer).build(),
            Set.of("exp", "iat", "sub", "jti", "nonce", "provider", "proof"));
        claims.setMaxClockSkew(LEEWAY);
        processor.setJWTClaimsSetVerifier(claims);
    }

    /** Returns the claims of an assertion that was not seen before. {@code nonce} is the one that we gave the app. */
    public JWTClaimsSet verify(String assertion, String nonce) throws Refused {
        JWTClaimsSet login;
        try {
            // An unsigned token (alg none) is no SignedJWT.
            login = processor.process(decrypter == null ? SignedJWT.parse(assertion) : decrypted(assertion), null);
            if (nonce.isEmpty() || !nonce.equals(login.getStringClaim("nonce"))) {
                throw new Refused("nonce");
            }
            if (!providers.contains(login.getStringClaim("provider"))) {
                throw new Refused("provider");
            }
            if (!PROOFS.contains(login.getStringClaim("proof"))) {
                throw new Refused("proof");
            }
        } catch (ParseException | JOSEException | BadJOSEException reason) {
            throw new Refused(reason.getMessage());
        }
        take(login.getJWTID(), login.getExpirationTime().toInstant());
        return login;
    }

    /** Returns the signed token inside (RFC 7519 §5.2). Anyone could encrypt it: the key is public. */
    private SignedJWT decrypted(String assertion) throws ParseException, JOSEException, Refused {
        JWEObject token = JWEObject.parse(assertion);
        if (!KEY_ALGORITHMS.contains(token.getHeader().getAlgorithm())
            || !EncryptionMethod.A256GCM.equals(token.getHeader().getEncryptionMethod())
            || !"JWT".equals(token.getHeader().getContentType())) {
            throw new Refused("encryption");
        }
        token.decrypt(decrypter);
        SignedJWT signed = token.getPayload().toSignedJWT();
        if (signed == null) {
            throw new Refused("not signed");
        }
        return signed;
    }

    private synchronized void take(String id, Instant expires) throws Refused {
        Instant now = Instant.now();
        // The oldest come first, and all are kept for about as long. So a request drops only what is over, and does
        // not look at the rest.
        Iterator<Instant> oldest = seen.values().iterator();
        while (oldest.hasNext() && oldest.next().isBefore(now)) {
            oldest.remove();
        }
        if (seen.putIfAbsent(id, expires.plusSeconds(LEEWAY)) != null) {
            throw new Refused("jti");
        }
    }

    private static Map<String, Object> discover(String issuer)
            throws IOException, InterruptedException, ParseException {
        URI place = URI.create(issuer + "/.well-known/openid-configuration");
        HttpResponse<String> answer = HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(place).timeout(Duration.ofSeconds(5)).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(place + ": " + answer.statusCode());
        }
        Map<String, Object> document = JSONObjectUtils.parse(answer.body());
        if (!issuer.equals(JSONObjectUtils.getString(document, "issuer"))) {
            throw new IOException("the document is another issuer's");
        }
        return document;
    }
}
