// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/proc/BadJOSEException.html
package com.nimbusds.jose.proc;

public class BadJOSEException extends Exception {
    private static final long serialVersionUID = 1;

    public BadJOSEException(String message) {
        super(message);
    }
}
