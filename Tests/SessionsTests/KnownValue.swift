/// Derived values, computed with Python's hmac and hashlib.
enum KnownValue {
    static let session = "8EQajEXLR6PPp6D-dkk4SQ"
    static let keyID = "daddc970fd87ea5e"
    static let person = "4f4eb4415730fd13efc96e76df8594db97bc4d36c2971254ddbc63af939b297e"
    static let nonce = "AAABoxhcUACLNMNW1Kgf7IpPKl3wW5XO"
    static let pinProof = "d0e8e38d48b0ef0ffeaea7eab0294746f739169f5556d15657aeef60761c2c7d"
    /// The row of an ended session.
    static let row = """
        daddc970fd87ea5e0100000010f0441a8c45cb47a3cfa7a0fe764938490000000464656d6f000000000000000702000001a3185c50\
        00000001a3185c7328237a2cedf20d95e19af2729eb969bf7fdcdd2c7552c11056e85f9f2224d9297d
        """
}
