import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './markdown.ts';

function rendered(markdown: string) {
  const page = { path: 'api/example', source: 'docs/api/example.md', title: 'Example', markdown };
  return renderMarkdown(page, (_page, link) => (link === 'nowhere.md' ? null : `to:${link}`));
}

describe('a page', () => {
  it('has the anchors that the repository browser makes', () => {
    const { html, headings } = rendered('# A page\n\n## `npm start`, and why\n\n## Same\n\n## Same\n');
    expect(headings.map(({ id }) => id)).toEqual(['a-page', 'npm-start-and-why', 'same', 'same-1']);
    expect(html).toContain('<h2 id="npm-start-and-why">');
  });

  it('links to where its links lead, and leaves words where they lead nowhere', () => {
    const { html } = rendered('[one](other.md#x) and [two](nowhere.md)');
    expect(html).toContain('<a href="to:other.md#x">one</a> and <a>two</a>');
  });

  it('shows no comments, but those in code', () => {
    const { html } = rendered('<!-- shape: Email -->\n\n```json\n{}\n```\n\n```html\n<!-- kept -->\n```\n');
    expect(html).not.toContain('shape');
    expect(html).toContain('kept');
  });

  it('shows markup as text', () => {
    expect(rendered('a <script>alert(1)</script> b').html).toContain('&lt;script&gt;');
    expect(rendered('`<b>`').html).toContain('<code>&lt;b&gt;</code>');
    expect(rendered('```json\n{"a": "<b>"}\n```').html).not.toContain('<b>');
  });

  it('has no style of its own in any element, which its policy would forbid', () => {
    const { html } = rendered('| a | b |\n| :-- | --: |\n| 1 | 2 |\n');
    expect(html).not.toContain('style=');
    expect(html).toContain('<td class="align-right">2</td>');
  });
});

describe('an example in several languages', () => {
  const { html } = rendered(
    '::: code-group\n\n```sh [curl]\ncurl $API\n```\n\n```js [JavaScript]\nawait fetch(url);\n```\n\n:::\n\nAfter.',
  );

  it('is a group of blocks, each with its name', () => {
    expect(html).toMatch(/^<div class="code-group">[\s\S]*data-label="curl"[\s\S]*data-label="JavaScript"/);
    expect(html).toContain('</div>\n<p>After.</p>');
    expect(html).not.toContain(':::');
  });

  it('is coloured', () => {
    expect(html).toContain('<span class="hljs-keyword">await</span>');
  });

  it('that is not closed stays text', () => {
    expect(rendered('::: code-group\n\n```sh\nls\n```\n').html).not.toContain('code-group"');
  });
});
