import { expect, it } from 'vitest';
import { parseEnvironmentFile } from './environment-file.ts';

/** Each expectation was compared with the reader of systemd 252 (its generator of environment.d). */
it.each([
  ['a # within a value', 'TOKEN=abc#def #ghi', { TOKEN: 'abc#def #ghi' }],
  ['comments', '# A=1\n ; B=2\nC=3', { C: '3' }],
  ['spaces around the name and the value', ' A = b c \t\n', { A: 'b c' }],
  ['single quotes, with a backslash in them', "A='b \\ # c'", { A: 'b \\ # c' }],
  ['double quotes, with escapes in them', 'A="b \\"c\\" \\$d \\e"', { A: 'b "c" $d \\e' }],
  ['quoted values over several lines', 'A="b\nc"\nD=1', { A: 'b\nc', D: '1' }],
  ['a quote within a value', "A=it's\nB=2", { A: "it's", B: '2' }],
  ['a line that continues', 'A=b\\\nc\nD=1', { A: 'bc', D: '1' }],
  ['an escaped character', 'A=b\\\\c\\d', { A: 'b\\cd' }],
  ['an empty value', 'A=\nB=1', { A: '', B: '1' }],
  ['a line without =', 'nothing\nA=1', { A: '1' }],
  ['the last of two values', 'A=1\nA=2', { A: '2' }],
])('reads %s as systemd does', (_what, text, values) => {
  expect(parseEnvironmentFile(text)).toEqual(values);
});
