import { describe, expect, it } from 'vitest';
import { firstLinkIn, pixelIn } from './open-pixel.ts';

const OURS = 'http://localhost:3000';

describe('the pixel to open', () => {
  it.each([
    [`<p>Hi</p><img src="${OURS}/t/o/abc_-9.gif" width="1">`, `${OURS}/t/o/abc_-9.gif`],
    [`${OURS}/t/o/first.gif ${OURS}/t/o/last.gif`, `${OURS}/t/o/last.gif`],
    ['<img src="https://elsewhere.example/t/o/abc.gif">', null],
    [`<img src="${OURS}/t/o/../../api/v1/x.gif">`, null],
    [`<img src="${OURS}/t/o/a b.gif">`, null],
    [`<img src="${OURS}/t/o/abc">`, null],
    ['', null],
  ])('in %s is %s', (html, url) => {
    expect(pixelIn(html, OURS)).toBe(url);
  });
});

describe('the link to follow', () => {
  it.each([
    [`<a href="${OURS}/t/c/abc_-9">x</a> <a href="${OURS}/t/c/second">y</a>`, `${OURS}/t/c/abc_-9`],
    [`Look (${OURS}/t/c/abc).`, `${OURS}/t/c/abc`],
    ['<a href="https://elsewhere.example/t/c/abc">x</a>', null],
    [`<a href="${OURS}/t/c/">x</a>`, null],
    ['', null],
  ])('in %s is %s', (content, url) => {
    expect(firstLinkIn(content, OURS)).toBe(url);
  });
});
