// Finds what `shorten` may change of a program, its names and the order of some parts: names.cjs STORED <PROGRAM >PARTS
//
// It reads what terser has made short, whose names are short already: each variable, and each member whose name is one
// letter, with those that must not have the same name. STORED is a JSON object whose values are members that keep their
// names. The output is JSON: the names, and the program in pieces. A piece is a text, or a member and the variable that
// it is or becomes, each as its number among the names, as a text or null, or a list whose items may change places,
// each of them in pieces, with the pairs of items that must not pass each other.
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
/** The members, the variables, and the members with the variable that they are or become, as they stand. */
const marks = [];
/** Lists whose items may change places. */
const lists = [];

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
  marks.push({ start: node.getStart() + quote, end: node.end - quote, member, variable });
};

/** Whether a part fits, or one within it that runs when it does: what is in a function does not. */
const has = (node, fits) => fits(node)
  || (!ts.isFunctionLike(node) && !!ts.forEachChild(node, (child) => has(child, fits)));
/** Whether it may change something. To read a member changes nothing. */
const acts = (node) => has(node, (one) => ts.isCallExpression(one) || ts.isNewExpression(one)
  || ts.isAwaitExpression(one) || ts.isSpreadElement(one) || ts.isPostfixUnaryExpression(one)
  || (ts.isPrefixUnaryExpression(one) && /^(\+\+|--)/.test(one.getText()))
  || (ts.isBinaryExpression(one) && one.operatorToken.kind >= ts.SyntaxKind.FirstAssignment
    && one.operatorToken.kind <= ts.SyntaxKind.LastAssignment));
/** Whether it is a variable, and no member's name. */
const isVariable = (node) => ts.isIdentifier(node) && node.parent.propertyName !== node
  && (node.parent.name !== node || ts.isVariableDeclaration(node.parent) || ts.isBindingElement(node.parent)
    || ts.isShorthandPropertyAssignment(node.parent));
/** Whether it is the same whenever it is read. */
const isConstant = (node) => !acts(node) && !has(node, isVariable);

/** Whether two items of a list must not pass each other. What a function reads must be there before it is called. */
const isTied = (one, other) => {
  if (ts.isVariableDeclaration(one)) {
    const reads = (reader, { name: declared }) => has(reader, (node) => isVariable(node)
      && has(declared, (word) => isVariable(word) && word.text === node.text));
    return acts(one) || acts(other) || reads(one, other) || reads(other, one);
  }
  return (acts(one) && !isConstant(other)) || (acts(other) && !isConstant(one));
};

/** Whether somebody may read the order of an object's members: a variable that is not only asked for members has it. */
const isOrdered = ({ parent }) => {
  if (!ts.isVariableDeclaration(parent)) return false;
  const symbol = checker.getSymbolAtLocation(parent.name);
  const isPassedOn = (node) => (ts.isIdentifier(node) && node !== parent.name
    && checker.getSymbolAtLocation(node) === symbol && node.parent.expression !== node)
    || !!ts.forEachChild(node, isPassedOn);
  return isPassedOn(file);
};

const list = (items, separator) => {
  if (items.length < 2) return;
  const tied = items.flatMap((one, index) => items.slice(0, index).flatMap((other, number) =>
    (isTied(one, other) ? [[number, index]] : [])));
  lists.push({ separator, tied, items: items.map((item) => ({ start: item.getStart(), end: item.end })) });
};

/** The items whose order nobody reads. */
const findList = (node) => {
  if (ts.isVariableDeclarationList(node)) list(node.declarations, ",");
  else if (ts.isNamedExports(node)) list(node.elements, ",");
  else if (ts.isObjectBindingPattern(node)) {
    if (!node.elements.some((one) => one.dotDotDotToken || one.initializer)) list(node.elements, ",");
  } else if (ts.isObjectLiteralExpression(node)) {
    if (!node.properties.some(ts.isSpreadAssignment) && !isOrdered(node)) list(node.properties, ",");
  } else if (ts.isBinaryExpression(node) && /^[!=]==?$/.test(node.operatorToken.getText())) {
    const sides = [node.left, node.right];
    const isSimple = sides.every((side) => !acts(side) && (ts.isPropertyAccessExpression(side) || ts.isIdentifier(side)
      || ts.isLiteralExpression(side) || side.kind === ts.SyntaxKind.NullKeyword || ts.isTypeOfExpression(side)
      || ts.isVoidExpression(side) || ts.isPrefixUnaryExpression(side)));
    // Behind a word the other side might need a space.
    if (isSimple && !/[\w$ ]/.test(source[node.getStart() - 1])) list(sides, node.operatorToken.getText());
  }
};

const visit = (node) => {
  const { parent } = node;
  findList(node);
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

/** The pieces of a part: texts, marks and lists. */
const piecesOf = (start, end) => {
  const found = [];
  let done = start;
  const parts = [...lists.map((one) => ({ ...one, start: one.items[0].start, end: one.items.at(-1).end })), ...marks]
    .filter((one) => one.start >= start && one.end <= end)
    // A list comes before what is in it.
    .sort((one, other) => one.start - other.start || other.end - one.end || (one.items ? -1 : 1));
  for (const one of parts) {
    if (one.start < done) continue;
    if (one.start > done) found.push(source.slice(done, one.start));
    found.push(one.items ? { ...one, items: one.items.map((item) => piecesOf(item.start, item.end)) } : one);
    done = one.end;
  }
  return [...found, source.slice(done, end)];
};
const pieces = piecesOf(0, source.length);

const print = (all) => all.map((piece) => {
  if (typeof piece === "string") return piece;
  if (piece.items) return piece.items.map(print).join(piece.separator);
  const { member, variable } = piece;
  if (!member || !variable) return (member ?? variable).name;
  return member.name === variable.name ? member.name : `${member.name}:${variable.name}`;
}).join("");
if (print(pieces) !== source) throw new Error("The program was not understood.");

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
const written = (piece) => {
  if (typeof piece === "string") return piece;
  if (piece.items) {
    return { separator: piece.separator, tied: piece.tied, items: piece.items.map((item) => item.map(written)) };
  }
  return [piece.member, piece.variable].map((one) => (one ? index.get(one) ?? one.name : null));
};
process.stdout.write(JSON.stringify({
  names: [...index.keys()].map(({ name, isFixed, places, foes }) => ({
    name, isFixed: !!isFixed, count: places.length, foes: foes.map((foe) => index.get(foe)),
  })),
  pieces: pieces.map(written),
}));
