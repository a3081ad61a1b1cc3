// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/Algorithm.html
package com.nimbusds.jose;

public class Algorithm {
    protected Algorithm(String name) {}
}
