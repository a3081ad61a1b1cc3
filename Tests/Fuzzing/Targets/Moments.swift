import StrictJSON

/// Checks the times of an accepted JWT in another way than the validation does.
enum Moments {
    static func check(_ claims: JSON.Object) throws(Violation) {
        let now = Double(Example.now.seconds)
        let leeway = Double(Example.leeway)
        try require(claims.seconds("exp").map { $0 + leeway > now - 1 } == true, "accepted after its end")
        try require(claims.seconds("nbf").map { $0 < now + leeway + 1 } != false, "accepted before its time")
    }
}
