import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { findingHiddenTexts } from './hidden-text.ts';

const hiddenTexts = (html: string) => atOnce(findingHiddenTexts(html));

describe('text that mail clients do not show', () => {
  it.each([
    ['<p style="display:none">Whispered <b>twice</b></p><p>Said</p>', ['Whispered twice']],
    ['<div style="display: none"><div>In</div>Out</div>Said', ['In Out']],
    ['<p hidden>Whispered</p>', ['Whispered']],
    ['<p>Said</p><!-- Whispered -->', ['Whispered']],
    ['<!--[if mso]><p>To Outlook</p><![endif]-->', ['[if mso]><p>To Outlook</p><![endif]']],
    ['<span style="font-size:0.0px">a</span><span style="opacity:0">b</span>', ['a', 'b']],
    ['<span style="max-height:0;overflow:hidden">a</span>', ['a']],
    ['<title>Named</title><template><p>Kept</p></template>', ['Named', 'Kept']],
    ['<td style="font-size:0px"><p style="font-size:13px">Said</p>Whispered</td>Said', ['Whispered']],
    ['<p style="font-size:0">never closed', ['never closed']],
    ['<p style="visibility:hidden">never closed', ['never closed']],
    ['<!-- never closed', ['never closed']],
  ])('is found in %s', (html, texts) => {
    expect(hiddenTexts(html)).toEqual(texts);
  });

  it.each([
    '<p>Said</p>',
    '<p style="font-size:0.9em;opacity:0.5;height:10px;color:#000">Said</p>',
    '<p style="background-color: transparent; line-height: 1.0">Said</p>',
    '<img style="display:none" alt="">Said',
    '<p title="hidden">Said</p>',
    '<td style="font-size:0px;padding:10px"><div style="font-size:13px">Said <b>twice</b></div></td>',
  ])('is not found in %s', (html) => {
    expect(hiddenTexts(html)).toEqual([]);
  });
});
