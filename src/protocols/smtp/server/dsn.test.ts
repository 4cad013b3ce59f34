import { expect, it } from 'vitest';
import { areDsnParameters } from './dsn.ts';

const isTaken = (name: string, value: string) => areDsnParameters(new Map([[name, value]]));

it.each([
  ['RET', 'FULL'],
  ['RET', 'hdrs'],
  ['ENVID', 'QQ314159'],
  ['ENVID', 'a+2Bb+3Dc'],
  ['ENVID', 'x'.repeat(100)],
  ['NOTIFY', 'NEVER'],
  ['NOTIFY', 'SUCCESS,FAILURE,DELAY'],
  ['NOTIFY', 'failure'],
  ['ORCPT', 'rfc822;ada+2Blist@example.org'],
  ['ORCPT', 'utf-8;bücher@example.org'],
  ['SIZE', 'anything'],
])('takes %s=%s', (name, value) => {
  expect(isTaken(name, value)).toBe(true);
});

it.each([
  ['RET', ''],
  ['RET', 'BODY'],
  ['ENVID', ''],
  ['ENVID', 'a+b'],
  ['ENVID', 'a=b'],
  ['ENVID', 'x'.repeat(101)],
  ['NOTIFY', ''],
  ['NOTIFY', 'NEVER,SUCCESS'],
  ['NOTIFY', 'SUCCESS,'],
  ['NOTIFY', 'SUCCESS,SUCCESS,SUCCESS,SUCCESS'],
  ['NOTIFY', 'ALWAYS'],
  ['ORCPT', 'ada@example.org'],
  ['ORCPT', ';ada@example.org'],
  ['ORCPT', 'rfc822;'],
  ['ORCPT', 'rfc822;bücher@example.org'],
  ['ORCPT', `rfc822;${'x'.repeat(500)}`],
])('refuses %s=%s', (name, value) => {
  expect(isTaken(name, value)).toBe(false);
});
