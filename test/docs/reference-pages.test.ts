/** The reference as it is written: nothing is missing, every link leads somewhere, every example is true. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { slugOf } from '../../docs-site/reference/markdown.ts';
import { type ReferencePage, referencePages } from '../../docs-site/reference/pages.ts';
import { exampleRequest } from '../../docs-site/reference/request.ts';
import { apiDocument } from '../../sdk/scripts/api-document.ts';
import { type Document, type Endpoint, endpointsByTag, type Schema } from '../../src/http/docs-document.ts';

let document: Document;
let pages: readonly ReferencePage[];
let endpoints: readonly Endpoint[];
beforeAll(async () => {
  document = (await apiDocument()) as unknown as Document;
  pages = referencePages(document);
  endpoints = [...endpointsByTag(document).values()].flat();
});

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
/** Blocks of it, and words. */
const CODE = /^```[\s\S]*?^```$|`[^`\n]+`/gm;
const HOLE = /…|"":|undefined/;

/** A section of a page, from its heading to the next. */
function sectionOf({ operation, method, path }: Endpoint): string {
  const title = `\n## ${operation.summary}\n\n\`${method} ${path}\``;
  const page = pages.find(({ markdown }) => markdown.includes(title));
  return page?.markdown.split(/\n(?=## )/).find((one) => `\n${one}`.startsWith(title)) ?? '';
}

describe('the reference', () => {
  it('has a page for each tag, and every operation once', () => {
    expect(pages.map(({ path }) => path)).toEqual([
      'reference/index',
      'reference/webhook-events',
      ...[...endpointsByTag(document).keys()].map((tag) => `reference/${slugOf(tag)}`),
    ]);
    expect(endpoints.filter((endpoint) => sectionOf(endpoint) === '').map(nameOf)).toEqual([]);
    expect(endpoints.length).toBeGreaterThan(150);
  });

  it('shows of each operation who may call it, six languages, an answer and its errors', () => {
    const wanted = [
      /For keys with scope|signed in\.|No key needed\./,
      /```sh \[curl\][\s\S]*```js \[JavaScript\][\s\S]*```python \[Python\][\s\S]*```php \[PHP\][\s\S]*```go \[Go\][\s\S]*```ruby \[Ruby\]/,
      /\*\*Response\*\* `20\d`[\s\S]*?```/,
      /\*\*Errors\*\*/,
    ];
    const without = endpoints.flatMap((endpoint) =>
      wanted.filter((one) => !one.test(sectionOf(endpoint))).map((one) => `${nameOf(endpoint)}: ${one}`),
    );
    expect(without).toEqual([]);
  });

  it('names every parameter, and every field of every body', () => {
    const missing = endpoints.flatMap((endpoint) => {
      const { parameters = [], requestBody } = endpoint.operation;
      const schema = requestBody?.content?.['application/json']?.schema;
      const names = [...parameters.map(({ name }) => name), ...Object.keys(schema?.properties ?? {})];
      return names
        .filter((name) => !sectionOf(endpoint).includes(`| \`${name}\` |`))
        .map((name) => `${nameOf(endpoint)}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('says which errors an operation has, there or among those of every operation', () => {
    const common = pages[0]?.markdown ?? '';
    const missing = endpoints.flatMap((endpoint) => {
      const text = sectionOf(endpoint) + common;
      const codes = Object.values(endpoint.operation.responses ?? {}).flatMap(({ description = '' }) =>
        [...description.matchAll(/^([A-Z_]+): /gm)].map(([, code]) => code),
      );
      return codes
        .filter((code) => !text.includes(`[\`${code}\`](../reference/errors.md#${code?.toLowerCase()})`))
        .map((code) => `${nameOf(endpoint)}: ${code}`);
    });
    expect(missing).toEqual([]);
  });

  it('has no link that leads nowhere', () => {
    const anchors = new Set(
      pages.flatMap(({ path, markdown }) => {
        const page = `${path.replace('reference/', '')}.md`;
        const headings = [...markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)];
        const slugs = headings.map(([, text = '']) => slugOf(text.replaceAll(/\\|\[|\]\(.*?\)/g, '')));
        expect([page, slugs.length]).toEqual([page, new Set(slugs).size]);
        return [page, ...slugs.map((slug) => `${page}#${slug}`)];
      }),
    );
    const dead = pages.flatMap(({ path, markdown }) =>
      [...markdown.replaceAll(CODE, 'code').matchAll(/\]\(([^)\s]*)\)/g)]
        .map(([, link = '']) => (link.startsWith('#') ? `${path.replace('reference/', '')}.md${link}` : link))
        .filter((link) => !link.startsWith('../') && !anchors.has(link)),
    );
    expect(dead).toEqual([]);
  });

  it('links every error to its cause and cure', () => {
    const headings = readFileSync('docs/reference/errors.md', 'utf8').match(/^#+ .*$/gm) ?? [];
    const known = new Set(headings.map((one) => `../reference/errors.md#${slugOf(one.replace(/^#+ /, ''))}`));
    const links = pages.flatMap(({ markdown }) => markdown.match(/\.\.\/reference\/errors\.md#[^)]*/g) ?? []);
    expect(links.filter((link) => !known.has(link))).toEqual([]);
    expect(links.length).toBeGreaterThan(150);
  });

  it('shows hostile text as text', () => {
    const [, , page] = referencePages({
      info: { title: 'x', version: '1' },
      paths: {
        '/x': {
          get: {
            operationId: 'x',
            tags: ['<b>'],
            summary: '<script>',
            description: '[a](javascript:x) | *b* `<i>`',
            parameters: [{ name: 'a|b', in: 'query', description: '<img> | x', schema: { type: 'string' } }],
          },
        },
      },
    });
    const prose = page?.markdown.replaceAll(/`[^`\n]+`/g, '') ?? '';
    expect(prose).not.toMatch(/<(?!\?php)|[^\\]\[a\]\(|[^\\]\*b/);
    expect(page?.markdown).toContain('| `a\\|b` | in the query | string | &lt;img> \\| x |');
  });
});

describe('the page of webhook events', () => {
  it('has every type that a webhook can ask for, with an example that is no hole', () => {
    const page = pages.find(({ path }) => path === 'reference/webhook-events')?.markdown ?? '';
    const types = Object.keys(document.webhooks ?? {});
    expect(types).toEqual(expect.arrayContaining(['email.delivered', 'domain.failing', 'suppression.added']));
    const without = types.filter(
      (type) => !page.includes(`\n### ${type}\n\n\`\`\`json\n{\n  "type": "${type}",`),
    );
    expect(without).toEqual([]);
    expect(page).toContain('| `smtp_message` |');
    expect(page.match(/^```json[\s\S]*?^```$/gm)?.filter((one) => HOLE.test(one))).toEqual([]);
  });
});

describe('the examples of the OpenAPI document', () => {
  let ajv: Ajv2020;
  beforeAll(() => {
    ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', components: document.components });
  });

  it('are what the schema of each webhook event says', () => {
    const wrong = Object.entries(document.webhooks ?? {}).flatMap(([type, { post }]) => {
      const { schema, example } = post.requestBody?.content?.['application/json'] ?? {};
      const validate = ajv.compile({ ...schema });
      return validate(example) ? [] : [`${type}: ${ajv.errorsText(validate.errors)}`];
    });
    expect(wrong).toEqual([]);
  });

  const problemOf = (schema: Schema | undefined, example: unknown): string | null => {
    if (HOLE.test(JSON.stringify(example) ?? '…')) return 'has a hole';
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const isValid = ajv.compile(JSON.parse(text));
    return isValid(example) ? null : ajv.errorsText(isValid.errors);
  };

  it('are there for every body, whole, and as its schema wants them', () => {
    const wrong = endpoints.flatMap((endpoint) => {
      const schema = endpoint.operation.requestBody?.content?.['application/json']?.schema;
      if (schema === undefined) return [];
      const problem = problemOf(schema, exampleRequest(endpoint, document).body);
      return problem === null ? [] : [`${nameOf(endpoint)}: ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  it('are there for every success, whole, and as its schema wants them', () => {
    const wrong = endpoints.flatMap((endpoint) =>
      Object.entries(endpoint.operation.responses ?? {})
        .filter(([status]) => status < '300')
        .flatMap(([status, { content = {} }]) => {
          const [, { schema, example } = {}] = Object.entries(content)[0] ?? [];
          const problem = problemOf(schema, example);
          return problem === null ? [] : [`${nameOf(endpoint)} ${status}: ${problem}`];
        }),
    );
    expect(wrong).toEqual([]);
  });

  it('are there for every parameter that a request cannot do without', () => {
    const without = endpoints.filter((endpoint) => {
      const { params, query } = exampleRequest(endpoint, document);
      return HOLE.test(JSON.stringify([params, query]));
    });
    expect(without.map(nameOf)).toEqual([]);
  });
});
