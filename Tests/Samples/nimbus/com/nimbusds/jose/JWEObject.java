// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/JWEObject.html
package com.nimbusds.jose;

import java.text.ParseException;

public class JWEObject {
    public static JWEObject parse(String s) throws ParseException {
        throw new UnsupportedOperationException();
    }

    public JWEHeader getHeader() {
        throw new UnsupportedOperationException();
    }

    public void decrypt(JWEDecrypter decrypter) throws JOSEException {
        throw new UnsupportedOperationException();
    }

    public Payload getPayload() {
        throw new UnsupportedOperationException();
    }
}
