import { describe, expect, it } from 'vitest';
import { MAX_PARTS, type SplitMessage, splitMessage } from './split-message.ts';

const split = (text: string): SplitMessage => splitMessage(Buffer.from(text.replaceAll('\n', '\r\n')));
const bodies = (text: string) => split(text).parts.map((part) => part.body.toString());
const TWO =
  'Content-Type: multipart/mixed; boundary="b"\n\npreamble\n--b\n\none\n--b\nContent-Type: text/html\n\ntwo\n--b--\nepilogue\n';

describe('splitMessage', () => {
  it('takes a simple message as its own only part', () => {
    expect(bodies('Subject: x\n\nhello\n')).toEqual(['hello\r\n']);
  });

  it('leaves out preamble, epilogue and the line end before a delimiter', () => {
    expect(bodies(TWO)).toEqual(['one', 'two']);
    expect(split(TWO).parts.map((part) => part.content.type)).toEqual(['text/plain', 'text/html']);
  });

  it('lets a missing final delimiter end the last part with the message', () => {
    expect(bodies(TWO.slice(0, TWO.indexOf('--b--')))).toEqual(['one', 'two\r\n']);
  });

  it('closes inner multiparts that were never closed at the next outer delimiter', () => {
    const inner = '--b\nContent-Type: multipart/alternative; boundary=i\n\n--i\n\ninside\n';
    expect(bodies(`Content-Type: multipart/mixed; boundary=b\n\n${inner}--b\n\nafter\n--b--\n`)).toEqual([
      'inside',
      'after',
    ]);
  });

  it('does not take a longer boundary for a shorter one that begins alike', () => {
    expect(
      bodies('Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b2\nstill one\n--b--\n'),
    ).toEqual(['one\r\n--b2\r\nstill one']);
  });

  it('accepts blank space after a delimiter', () => {
    expect(bodies('Content-Type: multipart/mixed; boundary=b\n\n--b  \t\n\none\n--b-- \n')).toEqual(['one']);
  });

  it('does not look for parts inside an included message', () => {
    const included =
      '--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n--c--\n';
    expect(split(`Content-Type: multipart/mixed; boundary=b\n\n${included}--b--\n`).parts).toHaveLength(1);
  });

  it('finds the boundary in use where another was declared', () => {
    expect(bodies(TWO.replace('boundary="b"', 'boundary="wrong"'))).toEqual(['one', 'two']);
  });

  it('reads a multipart without any delimiter as text', () => {
    const message = split('Content-Type: multipart/report; boundary=b\n\nwords\n');
    expect(message.parts.map((part) => [part.content.type, part.body.toString()])).toEqual([
      ['text/plain', 'words\r\n'],
    ]);
  });

  it('stops at its number of parts', () => {
    const many = 'Content-Type: multipart/mixed; boundary=b\n\n'.concat('--b\n\nx\n'.repeat(MAX_PARTS + 10));
    expect(split(many).parts).toHaveLength(MAX_PARTS);
  });

  it('stops at its number of headers, where multiparts have no part that holds anything', () => {
    const empty = '--b\nContent-Type: multipart/mixed; boundary=c\n\n--c--\n'.repeat(1_000);
    const start = 'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nfirst\n';
    const message = split(`${start}${empty}--b\n\nlast\n--b--\n`);
    expect(message.parts.map(({ body }) => body.toString())).toEqual(['first']);
    expect(message.ambiguity).toBe('It has more parts than are read.');
  });

  it('takes a multipart nested too deep as one part', () => {
    const open = Array.from(
      { length: 9 },
      (_, i) => `Content-Type: multipart/mixed; boundary=n${i}\n\n--n${i}\n`,
    );
    const { parts } = split(`${open.join('')}\nx\n`);
    expect(parts.map((part) => part.content.type)).toEqual(['multipart/mixed']);
  });
});
