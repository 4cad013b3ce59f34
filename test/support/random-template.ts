/** Random templates in the language that Postrider and Handlebars share, and random data for them. */
import fc from 'fast-check';

export function randomTemplate(): fc.Arbitrary<string> {
  return body(ROOT);
}

const KEYS = ['a', 'b', 'user', 'items', 'name', 'list', 'xthis'];
const NAMES = [...KEYS, 'toString', 'valueOf'];
const TEXTS = [
  'x',
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\t',
  '\n  ',
  'Hello ',
  '<b>',
  ' \n ',
  '&',
  '\\ ',
  ' }',
  '{ ',
  'é😀',
  '.\n\n',
];

/** The position in a random template, so that only expressions that are valid there are generated. */
type Where = { contexts: number; loops: number; params: string[]; levels: number };
const ROOT: Where = { contexts: 0, loops: 0, params: [], levels: 3 };

const tilde = fc.constantFrom('', '', '', '~');
const text = fc.array(fc.constantFrom(...TEXTS), { maxLength: 4 }).map((list) => list.join(''));
const comment = fc.constantFrom(
  '{{! x }}',
  '{{!-- a }} b --}}',
  '{{~! x ~}}',
  '{{!-- two\nlines --~}}',
  '{{!}}',
  '{{!----}}',
);
const literal = fc.constantFrom('"x"', "'1'", '0', '1', '-2.5', 'true', 'false', 'null', 'undefined', '""');

function path({ contexts, loops, params }: Where): fc.Arbitrary<string> {
  const name = fc.constantFrom(...NAMES);
  const tail = fc.constantFrom(
    '',
    '',
    '',
    '.a',
    '.name',
    '.b.a',
    '.length',
    '.0.name',
    '/name',
    '.[0]',
    '.[this]',
  );
  const up = fc.integer({ min: 0, max: contexts }).map((count) => '../'.repeat(count));
  const loop = fc
    .tuple(
      fc.integer({ min: 0, max: loops }),
      fc.constantFrom(
        'index',
        'key',
        'first',
        'last',
        'root',
        'root.a',
        'root.user.name',
        'key.length',
        'index.x',
        'first.x',
      ),
    )
    .map(([count, what]) => `@${'../'.repeat(count)}${what}`);
  const param = params.length === 0 ? name : fc.constantFrom(...params);
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(up, name, tail).map((parts) => parts.join('')) },
    { weight: 2, arbitrary: fc.constantFrom('this', '.', 'this.name', './a', 'this.a.b') },
    { weight: 1, arbitrary: up.map((dots) => (dots === '' ? 'this' : dots.slice(0, -1))) },
    { weight: 2, arbitrary: loop },
    { weight: params.length === 0 ? 0 : 4, arbitrary: fc.tuple(param, tail).map((parts) => parts.join('')) },
  );
}

function call(where: Where, levels = 2): fc.Arbitrary<string> {
  const arg =
    levels === 0
      ? fc.oneof(path(where), literal)
      : fc.oneof(
          path(where),
          literal,
          call(where, levels - 1).map((inner) => `(${inner})`),
        );
  const two = fc.tuple(
    fc.constantFrom('eq', 'equals', 'ne', 'notEquals', 'gt', 'lessThan', 'and', 'or', 'default'),
    arg,
    arg,
  );
  const one = fc.tuple(fc.constantFrom('not', 'upper', 'lower', 'capitalize'), arg);
  return fc.oneof(two, one).map((words) => words.join(' '));
}

function value(where: Where): fc.Arbitrary<string> {
  const inside = fc.oneof({ weight: 3, arbitrary: path(where) }, { weight: 1, arbitrary: call(where) });
  return fc
    .tuple(tilde, inside, tilde, fc.constantFrom('{{}}', '{{}}', '{{{}}}', '{{&}}'))
    .map(([left, name, right, form]) => {
      if (form === '{{}}') return `{{${left}${name}${right}}}`;
      // The `|` separates unescaped values, because Handlebars adds adjacent numbers: {{{1}}}{{{2}}} is 3.
      return form === '{{&}}' ? `|{{${left}&${name}${right}}}` : `|{{${left}{${name}}${right}}}`;
    });
}

function test(where: Where): fc.Arbitrary<string> {
  return fc.oneof(
    path(where),
    literal,
    call(where).map((inner) => `(${inner})`),
  );
}

/** The opening of a block, such as `if x` or `each xs as |x i|`, with the position inside the block. */
function opening(where: Where): fc.Arbitrary<{ name: string; head: string; inside: Where }> {
  const deeper = { ...where, levels: where.levels - 1 };
  const condition = fc
    .tuple(fc.constantFrom('if', 'unless'), test(where))
    .map(([name, of]) => ({ name, head: `${name} ${of}`, inside: deeper }));
  const helper = fc
    .tuple(fc.constantFrom('equals', 'ne', 'and', 'or', 'gt'), path(where), fc.oneof(path(where), literal))
    .map(([name, a, b]) => ({ name, head: `${name} ${a} ${b}`, inside: deeper }));
  const withBlock = fc.tuple(path(where), fc.boolean()).map(([of, named]) => ({
    name: 'with',
    head: `with ${of}${named ? ' as |w|' : ''}`,
    inside: {
      ...deeper,
      contexts: where.contexts + 1,
      params: named ? [...where.params, 'w'] : where.params,
    },
  }));
  const each = fc
    .tuple(path(where), fc.constantFrom([], [], ['x'], ['x', 'i'], ['item', 'index']))
    .map(([of, names]) => ({
      name: 'each',
      head: `each ${of}${names.length === 0 ? '' : ` as |${names.join(' ')}|`}`,
      inside: {
        ...deeper,
        contexts: where.contexts + 1,
        loops: where.loops + 1,
        params: [...where.params, ...names],
      },
    }));
  return fc.oneof(condition, condition, helper, withBlock, each, each);
}

function block(where: Where): fc.Arbitrary<string> {
  const simple = fc
    .tuple(
      opening(where),
      fc.array(tilde, { minLength: 8, maxLength: 8 }),
      fc.boolean(),
      fc.array(opening(where), { maxLength: 3 }),
    )
    .chain(([open, t, hasElse, links]) => {
      const bodies = fc.tuple(
        body(open.inside),
        fc.tuple(...links.map((link) => body(link.inside))),
        body({ ...where, levels: where.levels - 1 }),
      );
      return bodies.map(([main, chained, last]) => {
        const chain = links.map((link, i) => `{{${t[2]}else ${link.head}${t[3]}}}${chained[i]}`).join('');
        const end = hasElse ? `{{${t[4]}else${t[5]}}}${last}` : '';
        return `{{${t[0]}#${open.head}${t[1]}}}${main}${chain}${end}{{${t[6]}/${open.name}${t[7]}}}`;
      });
    });
  const inverted = fc
    .tuple(test(where), body({ ...where, levels: where.levels - 1 }))
    .map(([of, inner]) => `{{^if ${of}}}${inner}{{/if}}`);
  return fc.oneof({ weight: 6, arbitrary: simple }, { weight: 1, arbitrary: inverted });
}

function body(where: Where): fc.Arbitrary<string> {
  const pieces = [
    { weight: 4, arbitrary: text },
    { weight: 4, arbitrary: value(where) },
    { weight: 1, arbitrary: comment },
    { weight: 1, arbitrary: fc.constantFrom('\\{{a}} ', '\\\\{{a}}') },
  ];
  if (where.levels > 0) pieces.push({ weight: 4, arbitrary: fc.constant(null).chain(() => block(where)) });
  return fc.array(fc.oneof(...pieces), { maxLength: 5 }).map((list) => list.join(''));
}

const scalar = fc.constantFrom<unknown>(
  '',
  'x',
  '1',
  '<a href="x">',
  "it's `=`",
  0,
  1,
  -2.5,
  1e21,
  true,
  false,
  null,
  'Zoë & Co',
);
const { tree: jsonValue } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    scalar,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS, '0', 'length', 'this'), tie('tree'), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
  ),
}));
export const randomData = fc.dictionary(fc.constantFrom(...KEYS), jsonValue, {
  minKeys: 2,
  noNullPrototype: true,
}) as fc.Arbitrary<Readonly<Record<string, unknown>>>;
