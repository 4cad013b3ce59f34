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

function noteBegun(...paths) {
  fs.writeFileSync(file, JSON.stringify(paths.map((one) => ({ path: one, file: one, test: null }))));
}

it('a test file whose worker died counts as failed, though Vitest says that it passed', () => {
  const [ended, died] = ['/project/a.test.ts', '/project/b.test.ts'].map((name) => ({
    name,
    status: 'passed',
    assertionResults: [],
  }));
  noteBegun(died.name);
  const lost = { name: died.name, status: 'failed', assertionResults: [] };
  expect(withUnfinished([ended, died], file)).toEqual([ended, lost]);
});

it('a test file without a result counts as failed', () => {
  noteBegun('/project/b.test.ts');
  expect(withUnfinished([], file)).toEqual([
    { name: '/project/b.test.ts', status: 'failed', assertionResults: [] },
  ]);
});

it('a test file that ended keeps its result', () => {
  noteBegun();
  const passed = { name: '/project/a.test.ts', status: 'passed', assertionResults: [] };
  expect(withUnfinished([passed], file)).toEqual([passed]);
});
