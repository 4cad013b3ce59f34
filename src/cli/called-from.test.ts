import { expect, it } from 'vitest';
import { calledFrom } from './called-from.ts';

const BY_NPX = {
  npm_lifecycle_event: 'npx',
  npm_package_json: '/app/mail/package.json',
  INIT_CWD: '/app/mail/emails',
};

it("is the folder that npx was called in, when npx changed to the package's folder", () => {
  expect(calledFrom(BY_NPX, '/app/mail')).toBe('/app/mail/emails');
});

it('is the folder of the process without npx', () => {
  expect(calledFrom({}, '/somewhere')).toBe('/somewhere');
  // A program that npx started went somewhere else itself.
  expect(calledFrom(BY_NPX, '/app/mail/dist')).toBe('/app/mail/dist');
  // Scripts of a package name files of that package.
  expect(calledFrom({ ...BY_NPX, npm_lifecycle_event: 'push' }, '/app/mail')).toBe('/app/mail');
});
