// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jwt/SignedJWT.html
package com.nimbusds.jwt;

import java.text.ParseException;

public class SignedJWT {
    public static SignedJWT parse(String s) throws ParseException {
        throw new UnsupportedOperationException();
    }
}
