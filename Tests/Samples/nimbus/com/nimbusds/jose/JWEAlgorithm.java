// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/JWEAlgorithm.html
package com.nimbusds.jose;

public final class JWEAlgorithm extends Algorithm {
    public static final JWEAlgorithm RSA_OAEP_256 = new JWEAlgorithm("RSA-OAEP-256");
    public static final JWEAlgorithm ECDH_ES = new JWEAlgorithm("ECDH-ES");
    public static final JWEAlgorithm ECDH_ES_A256KW = new JWEAlgorithm("ECDH-ES+A256KW");

    public JWEAlgorithm(String name) {
        super(name);
    }
}
