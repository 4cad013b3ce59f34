import { describe, expect, it } from 'vitest';
import { passwordProblem } from './password-rules.ts';

const problem = (password: string) => passwordProblem(password, 'ada.lovelace@example.org');

describe('a password', () => {
  it.each(['correct horse battery', 'ünïcödé wörds', 'x7-Kp2!mQz9', 'four common words here'])(
    'may be %s',
    (password) => expect(problem(password)).toBeUndefined(),
  );

  it.each([
    ['123456789', /at least 10/],
    ['éééééééé', /at least 10/],
    ['ada.lovelace@example.org', /email address/],
    ['Ada.Lovelace', /email address/],
    ['aaaaaaaaaaaa', /different/],
    ['abababababab', /different/],
    ['Password123', /common password/],
    ['passw0rd2026!', /common password/],
    ['qwertyuiop', /common password/],
    ['changeme-123', /common password/],
    ['x7-Kp2!mQz9'.repeat(100), /at most 1000 bytes/],
  ])('may not be %s', (password, why) => expect(problem(password)).toMatch(why));
});
