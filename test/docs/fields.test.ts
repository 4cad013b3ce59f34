/** The pages about sending name every field and every option that can be given. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { apiDocument } from '../../sdk/scripts/api-document.ts';
import type { ApiDocument, Schema } from '../../sdk/scripts/api-schema.ts';
import { OPTION_NAMES } from '../../src/ingress/smtp-submission/options.ts';

let document: ApiDocument;
beforeAll(async () => {
  document = await apiDocument();
});

/** Below a heading, up to the next one of any level. */
function section(page: string, heading: string): string {
  const [, part = ''] = readFileSync(`docs/${page}.md`, 'utf8').split(`\n${heading}\n`);
  return part.split(/\n##+ /)[0] ?? '';
}

function fieldsOf(path: string): string[] {
  const body = document.paths[path]?.post?.requestBody?.content?.['application/json']?.schema ?? {};
  const schemas: Readonly<Record<string, Schema>> = document.components?.schemas ?? {};
  const named = schemas[body.$ref?.split('/').at(-1) ?? ''] ?? body;
  return Object.keys(named.properties ?? {});
}

it.each([
  ['/emails/send', 'send/emails', '## Fields', 20],
  ['/emails/batch', 'send/batch', '## Send one template to many recipients', 20],
  ['/inbound/{id}/reply', 'receive/replies', '## Answer received mail', 6],
])('every field of POST %s is on its page', (path, page, heading, atLeast) => {
  const text = section(page, heading);
  const fields = fieldsOf(path);
  expect(fields.length).toBeGreaterThan(atLeast);
  expect(fields.filter((field) => !new RegExp(`[\`"]${field}[\`"]`).test(text))).toEqual([]);
});

it('every option over SMTP is in its table', () => {
  const table = section('send/smtp', '## Options').toLowerCase();
  expect(OPTION_NAMES.length).toBeGreaterThan(10);
  expect(OPTION_NAMES.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});
