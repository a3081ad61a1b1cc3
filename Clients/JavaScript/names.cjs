// Finds the names of a program that `shorten` may change: names.cjs STORED <PROGRAM >NAMES
//
// It reads what terser has made short, whose names are short already: each variable, and each member whose name is one
// letter, with those that must not have the same name. STORED is a JSON object whose values are members that keep their
// names. The output is JSON: the names, and the program in pieces. A piece is a text, or a member and the variable that
// it is or becomes, each as its number among the names, as a text or null.
const { readFileSync } = require("node:fs");
const ts = require("typescript");

const source = readFileSync(0, "utf8").trimEnd();

// --- What the program says ---

const name = "program.js";
const file = ts.createSourceFile(name, source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
const options = { allowJs: true, noLib: true, noResolve: true, target: file.languageVersion };
const checker = ts.createProgram([name], options, {
  getSourceFile: (path) => (path === name ? file : undefined), getDefaultLibFileName: () => "", writeFile() {},
  getCurrentDirectory: () => "", getCanonicalFileName: (path) => path, useCaseSensitiveFileNames: () => true,
  getNewLine: () => "\n", fileExists: (path) => path === name, readFile: () => undefined,
}).getTypeChecker();

/** The part of the program in which a declaration holds. The variables of a function's body count as the function's,
 * because they must not have the names of its parameters. */
const scopeOf = (declaration) => {
  const isVar = ts.isVariableDeclaration(declaration) && !ts.isCatchClause(declaration.parent)
    && !(declaration.parent.flags & ts.NodeFlags.BlockScoped);
  for (let node = declaration.parent; ; node = node.parent) {
    if (ts.isSourceFile(node) || ts.isFunctionLike(node)) return node;
    if (isVar) continue;
    if (ts.isBlock(node)) return ts.isFunctionLike(node.parent) || ts.isCatchClause(node.parent) ? node.parent : node;
    if (ts.isCatchClause(node) || ts.isForStatement(node) || ts.isForOfStatement(node) || ts.isForInStatement(node)
      || ts.isCaseBlock(node)) return node;
  }
};

const stored = Object.values(JSON.parse(process.argv[2]));

/** A variable or a member: its name now, where it holds, and where it stands. Those of the browser keep their names.
 * @typedef {{ name: string, isFixed?: boolean, start: number, end: number, places: number[], foes: Variable[] }
 *   } Variable */
/** @type {Map<unknown, Variable>} */
const variables = new Map();
/** The members with one letter. @type {Map<string, Variable>} */
const members = new Map();
/** The values that `build` marks with a `$`, which are members too. @type {Map<string, Variable>} */
const words = new Map();
/** The program in pieces: texts, variables, members, and members with the variable that they are or become. */
const pieces = [];
let done = 0;

const variableOf = (node) => {
  const symbol = ts.isShorthandPropertyAssignment(node.parent) ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : ts.isExportSpecifier(node.parent) ? checker.getExportSpecifierLocalTargetSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
  const [declaration] = symbol?.declarations ?? [];
  const key = declaration ? symbol : node.text;
  if (!variables.has(key)) {
    const { pos: start, end } = declaration ? scopeOf(declaration) : file;
    variables.set(key, { name: node.text, isFixed: !declaration, start, end, places: [], foes: [] });
  }
  const variable = variables.get(key);
  variable.places.push(node.getStart());
  return variable;
};

const memberOf = (node) => {
  const isWord = /^\$[a-z]$/.test(node.text);
  if (node.text.length !== 1 && !isWord) return null;
  const group = isWord ? words : members;
  if (!group.has(node.text)) {
    const isFixed = stored.includes(node.text);
    group.set(node.text, { name: node.text, isFixed, start: 0, end: 0, places: [], foes: [] });
  }
  group.get(node.text).places.push(node.getStart());
  return group.get(node.text);
};

/** @param {Node} node @param {Variable | { name: string } | null} member @param {Variable | null} variable */
const put = (node, member, variable) => {
  if (variable?.isFixed) return;
  const quote = ts.isStringLiteral(node) ? 1 : 0;
  pieces.push(source.slice(done, node.getStart() + quote), { member, variable });
  done = node.end - quote;
};

const visit = (node) => {
  const { parent } = node;
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && ts.isIdentifier(node.initializer)
    && !variableOf(node.initializer).isFixed) {
    put(node, memberOf(node.name) ?? { name: node.name.text }, variableOf(node.initializer));
  } else if (ts.isBindingElement(node) && node.propertyName && ts.isIdentifier(node.propertyName)
    && ts.isIdentifier(node.name) && !node.initializer) {
    put(node, memberOf(node.propertyName) ?? { name: node.propertyName.text }, variableOf(node.name));
  } else if (ts.isStringLiteral(node) && node.text[0] === "$") {
    put(node, memberOf(node), null);
  } else if (!ts.isIdentifier(node)) {
    ts.forEachChild(node, visit);
  } else if (ts.isPropertyAccessExpression(parent) && parent.name === node
    || ts.isBindingElement(parent) && parent.propertyName === node
    || (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node) {
    const member = memberOf(node);
    if (member) put(node, member, null);
  } else if (!ts.isExportSpecifier(parent) || !parent.propertyName || parent.propertyName === node) {
    const isShort = ts.isShorthandPropertyAssignment(parent) || (ts.isBindingElement(parent) && !parent.dotDotDotToken
      && !parent.propertyName && parent.name === node && ts.isObjectBindingPattern(parent.parent));
    put(node, isShort ? memberOf(node) ?? { name: node.text } : null, variableOf(node));
  }
};
visit(file);
pieces.push(source.slice(done));

const print = () => pieces.map((piece) => {
  if (typeof piece === "string") return piece;
  const { member, variable } = piece;
  if (!member || !variable) return (member ?? variable).name;
  return member.name === variable.name ? member.name : `${member.name}:${variable.name}`;
}).join("");
if (print() !== source) throw new Error("The program was not understood.");

// --- Which variables must not have the same name ---

for (const group of [members, words]) {
  for (const one of group.values()) one.foes = [...group.values()].filter((other) => other !== one);
}
const contains = (one, other) => one.start <= other.start && other.end <= one.end;
const all = [...variables.values()];
for (const one of all) {
  one.foes = all.filter((other) => {
    if (other === one || !contains(one, other) && !contains(other, one)) return false;
    if (one.start === other.start && one.end === other.end) return true;
    const [outer, inner] = contains(one, other) ? [one, other] : [other, one];
    return outer.places.some((place) => place >= inner.start && place < inner.end);
  });
}

// --- What `shorten` reads ---

const index = new Map([...members.values(), ...words.values(), ...all].map((one, number) => [one, number]));
process.stdout.write(JSON.stringify({
  names: [...index.keys()].map(({ name, isFixed, places, foes }) => ({
    name, isFixed: !!isFixed, count: places.length, foes: foes.map((foe) => index.get(foe)),
  })),
  pieces: pieces.map((piece) => (typeof piece === "string" ? piece
    : [piece.member, piece.variable].map((one) => (one ? index.get(one) ?? one.name : null)))),
}));
