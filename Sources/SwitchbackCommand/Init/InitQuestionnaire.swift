import Base

/// Completes the answers that options gave: asks for the others, or says which options are missing.
struct InitQuestionnaire {
    /// Shows a text and returns the answer; nil at the end of the input.
    typealias Ask = (String) -> String?

    private(set) var answers: InitQuestion.Answers
    /// Nil when nobody is there to answer.
    private let ask: Ask?

    init(_ answers: InitQuestion.Answers, ask: Ask?) {
        self.answers = answers
        self.ask = ask
    }

    mutating func complete() throws(OperatorError) {
        var missing: [InitQuestion] = []
        for question in InitQuestion.allCases {
            if let answer = self.answers[question] {
                if let problem = question.problem(of: answer) { throw OperatorError("\(question.option) \(problem)") }
                guard missing.isEmpty, !question.isAsked(self.answers) else { continue }
                throw OperatorError("\(question.option) has no effect with the other answers")
            }
            guard question.isAsked(self.answers) else { continue }
            if let ask {
                self.answers[question] = try self.answer(to: question, ask)
            } else if let standard = question.standard(self.answers) {
                self.answers[question] = standard
            } else if question.isRequired(self.answers) {
                missing.append(question)
            }
        }
        guard !missing.isEmpty else { return }
        let options = missing.map(\.option).joined(separator: ", ")
        throw OperatorError("missing \(options): nothing can be asked, because standard input is no terminal")
    }

    /// Asks until there is a valid answer. Returns nil for none.
    private func answer(to question: InitQuestion, _ ask: Ask) throws(OperatorError) -> String? {
        let standard = question.standard(self.answers)
        var text = question.text(self.answers) + (standard.map { " [\($0)]" } ?? "") + ": "
        while true {
            guard let line = ask(text) else { throw OperatorError("the input ended, and nothing was written") }
            guard let answer = line.isEmpty ? standard : line else {
                if !question.isRequired(self.answers) { return nil }
                continue
            }
            guard let problem = question.problem(of: answer) else { return answer }
            text = "It \(problem).\nAgain: "
        }
    }
}
