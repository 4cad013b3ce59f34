import { describe, expect, it } from 'vitest';
import { type EditableBlock, readBlocks } from './outline.ts';
import { fieldAt } from './picking.ts';

const SOURCE = `<h1>Hello {{name}}</h1><p>Thank you<br>for {{item}}.</p>
<p>{{first}}</p><p>Same</p><img src="https://cdn.test/{{logo}}.png"><img src="b.png"><p>Same</p><p>{{last}}</p>`;

const fields = (readBlocks(SOURCE) ?? []).flatMap((block) => (block as EditableBlock).fields);
const picked = (text: string, share = 0, isImage = false) => fieldAt({ text, share, isImage }, fields)?.shown;

describe('a click in the preview', () => {
  it('finds the text with its expressions filled in', () => {
    expect(picked('Hello Ada')).toBe('Hello {{name}}');
    expect(picked('\n   for two\n teas.')).toBe('Thank you\nfor {{item}}.');
  });

  it('finds the image by its address', () => {
    expect(picked('https://cdn.test/a.png', 0, true)).toBe('https://cdn.test/{{logo}}.png');
    expect(picked('b.png', 0, true)).toBe('b.png');
  });

  it('takes the nearest of texts that are alike', () => {
    const last = fieldAt({ text: 'Same', share: 0.9, isImage: false }, fields);
    expect(last && fields.indexOf(last as never)).toBeGreaterThan(fields.length - 3);
    expect(picked('anything else', 0.1)).toBe('{{first}}');
    expect(picked('anything else', 1)).toBe('{{last}}');
  });

  it('finds nothing for a text that no field makes', () => {
    expect(fieldAt({ text: 'Other', share: 0, isImage: false }, fields.slice(0, 2))).toBeNull();
  });
});
