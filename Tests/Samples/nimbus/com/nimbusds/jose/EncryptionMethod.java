// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/EncryptionMethod.html
package com.nimbusds.jose;

public final class EncryptionMethod extends Algorithm {
    public static final EncryptionMethod A256GCM = new EncryptionMethod("A256GCM");

    public EncryptionMethod(String name) {
        super(name);
    }
}
