// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/JWEHeader.html
package com.nimbusds.jose;

public final class JWEHeader {
    public JWEAlgorithm getAlgorithm() {
        throw new UnsupportedOperationException();
    }

    public EncryptionMethod getEncryptionMethod() {
        throw new UnsupportedOperationException();
    }

    public String getContentType() {
        throw new UnsupportedOperationException();
    }
}
