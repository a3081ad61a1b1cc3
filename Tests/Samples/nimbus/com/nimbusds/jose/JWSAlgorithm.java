// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/JWSAlgorithm.html
package com.nimbusds.jose;

public final class JWSAlgorithm extends Algorithm {
    public static final JWSAlgorithm RS256 = new JWSAlgorithm("RS256");
    public static final JWSAlgorithm PS256 = new JWSAlgorithm("PS256");
    public static final JWSAlgorithm ES256 = new JWSAlgorithm("ES256");
    public static final JWSAlgorithm ES384 = new JWSAlgorithm("ES384");
    public static final JWSAlgorithm ES512 = new JWSAlgorithm("ES512");

    public JWSAlgorithm(String name) {
        super(name);
    }

    public static JWSAlgorithm parse(String s) {
        throw new UnsupportedOperationException();
    }
}
