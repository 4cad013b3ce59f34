import { expect, it } from 'vitest';
import { wantsForeignImages } from './foreign-images.ts';

it.each([
  ['<img src="https://example.org/a.png">', true],
  ["<td background='http://example.org/a.png'>", true],
  ['<img alt=x src=//example.org/a.png>', true],
  ['<p style="background:url(https://example.org/a.png)">', true],
  ['<style>p{background:url("//example.org/a.png")}</style>', true],
  ['<img srcset="https://example.org/a.png 2x">', true],
  ['<img src="data:image/gif;base64,R0lG"><img src="cid:logo">', false],
  ['<a href="https://example.org/">src="https://example.org/"</a>', false],
])('finds pictures of other hosts in %s: %s', (html, wants) => {
  expect(wantsForeignImages(html)).toBe(wants);
});

it('looks at hostile markup in no time', () => {
  const startedMs = performance.now();
  wantsForeignImages(`<${' src'.repeat(200_000)}`);
  wantsForeignImages(` src=${' '.repeat(400_000)}`);
  wantsForeignImages(' src='.repeat(100_000));
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});
