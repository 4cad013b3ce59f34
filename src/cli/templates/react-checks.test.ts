import { expect, it } from 'vitest';
import { checkCode } from './react-checks.ts';
import { placeholdersFor } from './react-placeholders.ts';

/** A component whose props are texts. */
type Component = (props: Readonly<Record<string, string>>) => string;

async function check(component: Component, sample: object): Promise<void> {
  const given = placeholdersFor(sample);
  const html = component(given.props as Record<string, string>);
  await checkCode(html, given, async (show) =>
    component(placeholdersFor(sample, show).props as Record<string, string>),
  );
}

it.each<[string, Component, object, string]>([
  ['leaves out an element', ({ a }) => (a ? `<b>${a}</b>` : ''), {}, '`a` decides what is shown'],
  ['changes a value', ({ a }) => `${a} ${a?.toUpperCase()}`, {}, '`a` is changed or compared'],
  ['shows a part of a value', ({ a }) => `${a} ${a?.[0]}`, {}, '`a` is changed or compared'],
  ['encodes a value', ({ a = '' }) => `${a} ${encodeURIComponent(a)}`, {}, '`a` is changed or compared'],
  ['compares', ({ a, b }) => `${b}${a} ${a === 'x' ? 1 : 2}`, { a: 'x' }, '`a` is changed or compared'],
])('refuses code that %s', async (_, component, sample, message) => {
  await expect(check(component, sample)).rejects.toThrow(message);
});

it('accepts code that shows values, whatever characters they have', async () => {
  const escaped = (text = '') => text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;');
  const shows: Component = ({ a, url }) => `<a href="${escaped(url)}">${escaped(a)}, ${escaped(a)}</a>`;
  await check(shows, { a: "Ada's & Co", url: 'https://a.example/?x=1&y=2' });
});

it('accepts the padding of a preview text, and images that are preloaded once', async () => {
  const padded: Component = ({ a = '', b }) =>
    `<link rel="preload" href="${b}"/>${b === '/i' ? '' : '<link rel="preload" href="/i"/>'}${a}${'\u00a0\u200c'.repeat(9 - Math.min(9, a.length))}<img src="${b}">`;
  await check(padded, { a: 'Ada', b: '/i' });
});

it('accepts code that cannot run with another value', async () => {
  const strict: Component = ({ a }) => {
    if (a !== '{{a}}') throw new Error('only this');
    return a;
  };
  await check(strict, { a: 'Ada' });
});
