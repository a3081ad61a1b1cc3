// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/JOSEException.html
package com.nimbusds.jose;

public class JOSEException extends Exception {
    private static final long serialVersionUID = 1;

    public JOSEException(String message) {
        super(message);
    }
}
