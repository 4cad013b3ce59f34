import path from 'node:path';
import { expect, it } from 'vitest';
import { mergeDurations } from './durations.mjs';
import { root } from './prepare.mjs';

const result = (file, seconds) => ({
  name: path.join(root, file),
  startTime: 1_000,
  endTime: 1_000 + seconds * 1_000,
});
const everyFileExists = () => true;

it('replaces the duration of a file that ran and keeps the others', () => {
  const known = { 'test/a.test.ts': 4, 'test/b.test.ts': 7 };
  expect(mergeDurations(known, [result('test/a.test.ts', 9)], everyFileExists)).toEqual({
    'test/a.test.ts': 9,
    'test/b.test.ts': 7,
  });
});

it('drops files that no longer exist and files that take less than a second', () => {
  const known = { 'test/gone.test.ts': 4, 'test/quick.test.ts': 3 };
  const ran = [result('test/quick.test.ts', 0.2)];
  expect(mergeDurations(known, ran, (file) => file !== 'test/gone.test.ts')).toEqual({});
});

it('leaves out unit tests, which run first whatever they take', () => {
  expect(mergeDurations({}, [result('src/a.test.ts', 30)], everyFileExists)).toEqual({});
});
