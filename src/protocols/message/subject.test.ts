import { describe, expect, it } from 'vitest';
import { unstructuredField } from './header-text.ts';
import { decodeHeaderText } from './reading/encoded-words.ts';
import { answerSubject } from './subject.ts';

describe('the subject of an answer', () => {
  it.each([
    ['Prices', 'Re: Prices'],
    ['Re: Prices', 'Re: Prices'],
    ['AW: Re[2]: Grüße', 'Re: Grüße'],
    ['Re : 回复:价格', 'Re: 价格'],
    ['回复\uff1aRe: 回覆\uff1a 价格', 'Re: 价格'],
    ['Vá: ΑΠ: Σχετ: Árak', 'Re: Árak'],
    ['Réservation: Paris', 'Re: Réservation: Paris'],
    ['', 'Re:'],
  ])('of %j has one Re:', (subject, answer) => {
    expect(answerSubject(subject)).toBe(answer);
  });

  it('has one Re: however often a long subject with other letters is encoded and answered', () => {
    const subject = `Grüße: ${'Übergrößen '.repeat(40)}`.trim();
    let answer = subject;
    for (let times = 0; times < 3; times += 1) {
      const field = unstructuredField('Subject', answerSubject(answer)).replaceAll('\r\n', '');
      answer = decodeHeaderText(field.slice('Subject: '.length), 16_000);
    }
    expect(answer).toBe(`Re: ${subject}`);
  });
});
