/// A date of the proleptic Gregorian calendar.
///
/// Both directions count in eras of 400 years that begin on the first of March, so that the leap day is the last day of
/// a year.
package struct CivilDate: Hashable, Sendable {
    package let year: Int64
    package let month: Int64
    package let day: Int64

    /// `day` counts from 1970-01-01.
    package init(day: Int64) {
        let shifted = day + 719_468
        let era = shifted.floored(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
        self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    }

    /// Returns the day from 1970-01-01. A day that its month does not have counts on into the next one.
    static func day(ofYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let (year, month) = month <= 2 ? (year - 1, month + 9) : (year, month - 3)
        let leapDays = year.floored(by: 4) - year.floored(by: 100) + year.floored(by: 400)
        return year * 365 + leapDays + (month * 153 + 2) / 5 + day - 1 - 719_468
    }
}

extension Int64 {
    /// Divides, and rounds towards the past.
    func floored(by divisor: Int64) -> Int64 { self >= 0 ? self / divisor : (self + 1) / divisor - 1 }
}
