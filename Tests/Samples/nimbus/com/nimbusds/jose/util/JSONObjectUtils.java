// A stand-in that compiles and does nothing. Signatures: https://www.javadoc.io/doc/com.nimbusds/nimbus-jose-jwt/latest/com/nimbusds/jose/util/JSONObjectUtils.html
package com.nimbusds.jose.util;

import java.text.ParseException;
import java.util.List;
import java.util.Map;

public class JSONObjectUtils {
    public static Map<String, Object> parse(String s) throws ParseException {
        throw new UnsupportedOperationException();
    }

    public static String getString(Map<String, Object> o, String name) throws ParseException {
        throw new UnsupportedOperationException();
    }

    public static List<String> getStringList(Map<String, Object> o, String name) throws ParseException {
        throw new UnsupportedOperationException();
    }
}
