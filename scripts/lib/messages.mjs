/** Finds the texts that the code shows to people, in its syntax. Pure. */
import { parseAst } from 'rolldown/parseAst';

/** In the order of the list: the name of each group, and what puts a text into it. The first match decides. */
const GROUPS = [
  ['Log', ({ calls }) => calls.some((name) => /(^|\.)log\.\w+$/.test(name))],
  ['Metrics', ({ path }) => path.endsWith('metrics.ts')],
  [
    'SMTP replies',
    ({ path, calls }) =>
      calls.some((name) => /^(reply|refusing)$/.test(name)) ||
      /^src\/(protocols\/smtp\/server|ingress\/smtp-submission)\//.test(path),
  ],
  [
    'CLI help',
    ({ path, keys }) =>
      path.startsWith('src/cli/') && keys.some((key) => /^(summary|explains|example)$/.test(key)),
  ],
  ['CLI errors', ({ calls }) => calls.includes('CliError')],
  ['CLI output', ({ path }) => path.startsWith('src/cli/')],
  ['Doctor', ({ path }) => path.startsWith('src/doctor/')],
  ['Programs', ({ path }) => /^src\/(supervisor|processes)\//.test(path)],
  ['Reasons and advice', ({ path }) => /(advice|reasons|words)\.ts$/.test(path)],
  ['API reference', ({ keys }) => keys.some((key) => /^(summary|description|title|examples?)$/.test(key))],
  ['Internal errors', ({ calls }) => calls.some((name) => /^(Type|Range)?Error$/.test(name))],
  [
    'API errors',
    ({ path, calls }) =>
      calls.some((name) => /Error$|\.add$|^problem|^checked$/.test(name)) || /errors?\.ts$/.test(path),
  ],
  ['Other', () => true],
];

export const GROUP_NAMES = GROUPS.map(([name]) => name);

/** Phrases of other servers, names of tables and the like: read by code alone. */
const DATA =
  /^src\/(delivery\/policy\/refusals\/|inbound\/report\/(auto-reply|bounce-phrases)|cells\/tables|message-checks\/client-support|http\/static-files)/;

/** A word, with a space or an expression beside it. A text of one word is a name or a code. */
const TWO_WORDS = /(\p{L}{2}|\p{N}|…)\S*\s+\S*(\p{L}{2}|…)/u;
const SQL =
  /^\s*(AND|OR|SET|FROM|JOIN|WHERE|ORDER BY|select|interval|explain) |\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|ALTER|CREATE|DROP) /;

/** Every text of a file with its line and its group. An expression within a text is shown in braces. */
export function messagesOf(path, code) {
  if (DATA.test(path)) return [];
  const found = [];
  walk(
    parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path),
    { path, code, calls: [], keys: [] },
    (text, node, place) => {
      if (!isProse(text)) return;
      const line = code.slice(0, node.start).split('\n').length;
      found.push({ group: GROUPS.find(([, belongs]) => belongs(place))[0], path, line, text });
    },
  );
  return found;
}

function isProse(text) {
  const words = withoutExpressions(text);
  return /\p{L}{2}/u.test(words) && TWO_WORDS.test(words) && !SQL.test(words);
}

/** Expressions may contain braces of their own. */
function withoutExpressions(text) {
  const shorter = text.replace(/\{[^{}]*\}/g, '…');
  return shorter === text ? text : withoutExpressions(shorter);
}

function walk(node, place, report) {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, place, report);
    return;
  }
  if (typeof node?.type !== 'string' || isSilent(node)) return;
  const text = textOf(node, place.code);
  if (text !== null) report(text, node, place);
  walk(text === null ? childrenOf(node) : expressionsIn(node, place.code), placeWithin(node, place), report);
}

/** Types, paths of imports, statements and comparisons are shown to nobody. */
function isSilent({ type, operator, callee }) {
  if (/^TS(As|NonNull|Satisfies)/.test(type)) return false;
  if (/^TS|^ImportDeclaration$|^ExportAllDeclaration$/.test(type)) return true;
  if (type === 'BinaryExpression') return /^[!=]==?$/.test(operator);
  return type === 'CallExpression' && nameOf(callee) === 'sql';
}

/** The text of a literal, a template or a sum of texts; null for anything else. */
function textOf(node, code) {
  if (node.type === 'JSXText') return node.value;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral') {
    const pieces = node.quasis.map(({ value }, index) => value.cooked + shown(node.expressions[index], code));
    return pieces.join('');
  }
  if (!isSum(node)) return null;
  const [left, right] = [textOf(node.left, code), textOf(node.right, code)];
  if (left === null && right === null) return null;
  return (left ?? shown(node.left, code)) + (right ?? shown(node.right, code));
}

function shown(expression, code) {
  return expression === undefined ? '' : `{${code.slice(expression.start, expression.end)}}`;
}

function isSum({ type, operator }) {
  return type === 'BinaryExpression' && operator === '+';
}

/** The expressions within a text: they may contain texts of their own. */
function expressionsIn(node, code) {
  if (node.type === 'TemplateLiteral') return node.expressions;
  if (!isSum(node)) return [];
  return [node.left, node.right].flatMap((side) =>
    textOf(side, code) === null ? [side] : expressionsIn(side, code),
  );
}

/** Without the names of properties. */
function childrenOf(node) {
  const { type: _type, ...parts } = node;
  if (node.type === 'Property' && !node.computed) delete parts.key;
  return Object.values(parts).filter((part) => typeof part === 'object' && part !== null);
}

/** Remembers which calls and which properties a text is in. */
function placeWithin(node, place) {
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    return { ...place, calls: [...place.calls, nameOf(node.callee)] };
  }
  if (node.type === 'Property') return { ...place, keys: [...place.keys, node.key.name ?? node.key.value] };
  return place;
}

/** `log.warn`, `problems.add`, `CliError`. */
function nameOf(callee) {
  if (callee.type !== 'MemberExpression') return callee.name ?? '';
  return `${nameOf(callee.object)}.${callee.property.name ?? ''}`;
}
