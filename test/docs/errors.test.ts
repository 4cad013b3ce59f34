/** Every error that the API answers with is explained: what it means, what causes it and what cures it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERROR_CODES, statusOf } from '../../src/http/errors.ts';

const page = readFileSync('docs/reference/errors.md', 'utf8');
const sections = new Map(
  [...page.matchAll(/^### `([A-Z_]+)`\n([\s\S]*?)(?=^##)/gm)].map(([, code = '', text = '']) => [code, text]),
);

it('every code is in the table, with its status, and leads to its section', () => {
  const rows = [...page.matchAll(/^\| (\d{3}) +\| \[`([A-Z_]+)`\]\(#([a-z_]+)\)/gm)];
  const listed = rows.map(([, status, code, anchor]) => `${status} ${code} ${anchor}`);
  expect(listed.toSorted()).toEqual(
    ERROR_CODES.map((code) => `${statusOf(code)} ${code} ${code.toLowerCase()}`).toSorted(),
  );
});

it('every code has a section with a cure, and no other has one', () => {
  expect([...sections.keys()].toSorted()).toEqual([...ERROR_CODES].toSorted());
  const uncured = [...sections].filter(
    ([, text]) => !/[^\n]{20,}[\s\S]*\*\*Cure:\*\* [\s\S]{20,}/.test(text),
  );
  expect(uncured.map(([code]) => code)).toEqual([]);
});
