import { expect, it } from 'vitest';
import { explainListen } from './listen-problem.ts';

const at = { host: '192.0.2.1', port: 465, setting: 'POSTRIDER_SUBMISSION_TLS_PORT' };
const failed = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

it.each([
  ['EADDRINUSE', /^Port 465 on 192\.0\.2\.1 is taken .* Set POSTRIDER_SUBMISSION_TLS_PORT to a free port\.$/],
  ['EACCES', /Set POSTRIDER_SUBMISSION_TLS_PORT to one above 1023\.$/],
  ['EADDRNOTAVAIL', /^Cannot listen on 192\.0\.2\.1\. Set POSTRIDER_SUBMISSION_HOST to an address/],
])('a process that cannot listen (%s) says which setting to change', (code, words) => {
  expect(explainListen(failed(code), at).message).toMatch(words);
});

it('leaves unknown errors unchanged', () => {
  const error = failed('EMFILE');
  expect(explainListen(error, at)).toBe(error);
});
