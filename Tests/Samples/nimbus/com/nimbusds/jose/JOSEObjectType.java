// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/JOSEObjectType.html
package com.nimbusds.jose;

public final class JOSEObjectType {
    public JOSEObjectType(String type) {}
}
