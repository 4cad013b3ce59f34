import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-time.ts';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { htmlBeforeQuote, strippingReply } from './stripped-reply.ts';

const strippedReply = (text: string) => atOnce(strippingReply(text));

const QUOTE = '> Hello Ada,\n> your order is on its way.\n';
const REPLY = 'Thank you!\n\nBest, Ada';

describe('what announces a quote is left out', () => {
  it.each([
    ['Gmail', 'On Mon, Nov 16, 2026 at 9:12 AM Shop <shop@example.org> wrote:'],
    [
      'Gmail, broken',
      'On Mon, Nov 16, 2026 at 9:12 AM The Very Long Name Of A Shop\n<shop@example.org> wrote:',
    ],
    ['Apple Mail', 'On 16. Nov 2026, at 09:12, Shop <shop@example.org> wrote:'],
    [
      'German',
      'Am Mo., 16. Nov. 2026 um 09:12 Uhr schrieb Shop <shop@example.org>:'.replace(
        'schrieb Shop <shop@example.org>',
        'Shop <shop@example.org> schrieb',
      ),
    ],
    ['French', 'Le lun. 16 nov. 2026 à 09:12, Shop <shop@example.org> a écrit :'],
    ['Spanish', 'El lun, 16 nov 2026 a las 9:12, Shop (<shop@example.org>) escribió:'],
    ['Italian', 'Il giorno lun 16 nov 2026 alle ore 09:12 Shop <shop@example.org> ha scritto:'],
    ['Portuguese', 'Em seg., 16 de nov. de 2026 às 09:12, Shop <shop@example.org> escreveu:'],
    ['Dutch', 'Op ma 16 nov 2026 om 09:12 schreef Shop <shop@example.org>:'],
    ['Swedish', 'Den mån 16 nov. 2026 kl 09:12 skrev Shop <shop@example.org>:'],
    ['Polish', 'W dniu pon., 16.11.2026 o 09:12 Shop <shop@example.org> napisał(a):'],
    ['Czech', 'po 16. 11. 2026 v 9:12 odesílatel Shop <shop@example.org> napsal:'],
    ['Russian', 'пн, 16 нояб. 2026 г. в 09:12, Shop <shop@example.org> написал:'],
    ['Chinese', 'Shop <shop@example.org> 于2026年11月16日周一 09:12写道:'],
    ['Chinese, with its own colon', 'Shop <shop@example.org> 于2026年11月16日周一 09:12写道\uff1a'],
  ])('%s', (_client, line) => {
    expect(strippedReply(`${REPLY}\n\n${line}\n\n${QUOTE}`)).toBe(REPLY);
  });

  it.each([
    ['Outlook', '-----Original Message-----\nFrom: Shop\nSent: Monday\nTo: Ada\nSubject: Order\n\nHello'],
    ['Outlook, German', '-----Ursprüngliche Nachricht-----\nVon: Shop\nHello'],
    [
      'Outlook on the web',
      `${'_'.repeat(32)}\nFrom: Shop <shop@example.org>\nSent: Monday\nTo: Ada\nSubject: Order\n\nHello`,
    ],
    [
      'Outlook without a rule',
      'Von: Shop <shop@example.org>\nGesendet: Montag\nAn: Ada\nBetreff: Bestellung\n\nHallo',
    ],
    [
      'Outlook, Chinese',
      '发件人\uff1a Shop <shop@example.org>\n发送时间\uff1a 2026-11-16\n收件人\uff1a Ada\n主题\uff1a Order\n\nHello',
    ],
    ['a signature', '-- \nAda Lovelace\n12 St James Square'],
    ['no quotes', 'On Mon, Nov 16, 2026 at 9:12 AM Shop <shop@example.org> wrote:\n\nHello Ada'],
  ])('%s', (_client, rest) => {
    expect(strippedReply(`${REPLY}\n\n${rest}`)).toBe(REPLY);
  });

  it('Sent from my phone', () => {
    expect(
      strippedReply(
        `Yes\n\nSent from my iPhone\n\nOn 16. Nov 2026, at 09:12, S <s@example.org> wrote:\n${QUOTE}`,
      ),
    ).toBe('Yes');
  });
});

describe('what was written is kept', () => {
  it('between quotes', () => {
    const text = 'On 16 Nov 2026 at 9:12, S <s@example.org> wrote:\n> One?\nYes.\n> Two?\nNo.\n';
    expect(strippedReply(text)).toBe('Yes.\nNo.');
  });

  it.each([
    'He asked, and she wrote:\n\nNever mind.',
    'From: is a word that letters begin with.\nSo is this.',
    'Prices went up --\nand down.',
    'No quote at all',
  ])('%s', (text) => {
    expect(strippedReply(text)).toBe(text);
  });
});

it('only takes whole lines away, whatever it is given', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom(
      '> x',
      '-- ',
      'On 1.1.2026 at 9:00 a@b.example wrote:',
      '',
      'From: a',
      'To: b',
      'Date: c',
    ),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const text = lines.join('\n').replaceAll('\r', '');
      const given = new Set(text.split('\n').map((one) => one.trim()));
      for (const kept of strippedReply(text).split('\n'))
        expect(given.has(kept.trim()) || kept === '').toBe(true);
    }),
  );
});

it('is done at once with what is made to take long', () => {
  const stripAll = () => {
    for (const piece of ['On 1 ', '> ', 'wrote', '-', '_', 'From: ', 'schreef ', 'a:\n', '\n'])
      strippedReply(piece.repeat(200_000));
  };
  expect(cpuMs(stripAll, 10_000)).toBeLessThan(10_000);
});

it('html ends where its program begins to quote', () => {
  const html = '<p>Thanks</p><div class="gmail_quote gmail_quote_container"><p>Hello</p></div>';
  expect(htmlBeforeQuote(html)).toBe('<p>Thanks</p>');
  expect(htmlBeforeQuote('<p>Thanks</p>')).toBe('<p>Thanks</p>');
});
