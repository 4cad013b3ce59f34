import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withUnfinished } from './unfinished-files.mjs';

let folder;
let file;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'postrider-unfinished-'));
  file = path.join(folder, 'unfinished.json');
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const passed = { name: '/project/a.test.ts', status: 'passed', assertionResults: [] };

it('a test file whose worker died counts as failed', () => {
  const begun = [{ path: '/project/b.test.ts', file: 'b.test.ts', test: null }];
  fs.writeFileSync(file, JSON.stringify(begun));
  const lost = { name: '/project/b.test.ts', status: 'failed', assertionResults: [] };
  expect(withUnfinished([passed], file)).toEqual([passed, lost]);
});

it('a test file that ended keeps its result', () => {
  fs.writeFileSync(file, '[]');
  expect(withUnfinished([passed], file)).toEqual([passed]);
});

it('a file with a result is not counted twice', () => {
  fs.writeFileSync(file, JSON.stringify([{ path: passed.name, file: 'a.test.ts', test: null }]));
  expect(withUnfinished([passed], file)).toEqual([passed]);
});
