/**
 * The new text of a reply without the quoted mail: removes quotes, the line that introduces them, Outlook's
 * header above them, and the signature. Only whole lines are removed. Pure, linear in the text, and in slices
 * because the text is untrusted.
 *
 * This is a heuristic, because programs do not mark where their user's words end. Text without signs of a
 * quote is kept whole.
 */

import type { SlicedWork } from '../../../runtime/sliced-work.ts';

/** Longer texts are processed up to this line. */
const MAX_LINES = 20_000;
/** Lines processed in one go: 1 ms if each of them resembles an introduction. */
const LINES_AT_ONCE = 16;
/** Longer than any program's introduction of a quote. */
const MAX_MARK_CHARS = 500;
/** Maximum number of lines of an introduction. */
const MAX_ANNOUNCEMENT_LINES = 4;
const MAX_ANNOUNCEMENT_CHARS = 500;
/** Maximum number of lines of a header above a quote. */
const MAX_HEADER_LINES = 8;

/** "wrote", at the end of an introduction. */
const WROTE =
  /(?:wrote|writes|schrieb(?: am [^:]{1,60})?|geschrieben|a écrit|escribió|escribi[oó]|ha scritto|escreveu|schreef(?: [^:]{1,80})?|skrev(?: [^:]{1,80})?|napsala?|napsal\(a\)|napisała?|napisał\(a\)|kirjoitti|пишет|писала?|написала?|írta|yazdı|a scris|έγραψε|je napisao|написа|写道|寫道|wrote the following|さんは書きました|님이 작성)\s*[:\uff1a]\s*$/iu;
const DATED = /\d/;

const SEPARATOR =
  /^\s*[-_*]{2,}\s*(?:original message|original appointment|forwarded message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message d'origine|message original|message transféré|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|mensagem original|oorspronkelijk bericht|doorgestuurd bericht|originalmeddelande|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|původní zpráva|oryginalna wiadomość|wiadomość oryginalna|eredeti üzenet|исходное сообщение|пересылаемое сообщение|özgün ileti|原始邮件|原始郵件|元のメッセージ|원본 메시지)\s*[-_*]{2,}\s*$/iu;
const RULE = /^\s*_{20,}\s*$/;
const FROM_FIELD =
  /^[\s*]*(?:from|von|de|da|van|från|fra|od|lähettäjä|feladó|от|kimden|发件人|寄件者|差出人|보낸 사람)\s*[:\uff1a]/iu;
const OTHER_FIELD =
  /^[\s*]*(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|date|à|objet|enviado|fecha|para|asunto|inviato|data|a|oggetto|enviada em|assunto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|wysłano|do|temat|odesláno|komu|předmět|lähetetty|vastaanottaja|aihe|отправлено|кому|тема|gönderme|kime|konu|发送时间|收件人|主题|送信日時|宛先|件名)\s*[:\uff1a]/iu;
const QUOTED = /^\s{0,3}(?:>|\|\s)/;
const SIGNATURE = /^-- ?$/;
const SENT_FROM =
  /^\s*(?:sent from (?:my|outlook|mail|yahoo|proton)|get outlook for|von meinem .{1,40} gesendet|gesendet (?:von|mit) |envoyé (?:de|depuis) |enviado (?:desde|do|a partir) |inviato da|verzonden (?:vanaf|met)|skickat från|sendt fra|wysłane z|lähetetty |отправлено с |iphone\s?から送信)/iu;

export function* strippingReply(text: string): SlicedWork<string> {
  const lines = text.split(/\r\n|\r|\n/, MAX_LINES);
  const kept: string[] = [];
  let place = 0;
  for (let done = 1; place < lines.length; done += 1) {
    if (done % LINES_AT_ONCE === 0) yield;
    const line = lines[place] as string;
    if (isEnd(lines, place)) break;
    const announced = announcementAt(lines, place);
    if (announced > 0) {
      const next = nextWritten(lines, place + announced);
      if (!QUOTED.test(lines[next] ?? '')) break;
      place = next;
    } else {
      if (!QUOTED.test(line)) kept.push(line);
      place += 1;
    }
  }
  return withoutProgramsWords(kept).join('\n').trim();
}

/** All text from here on is quoted. */
function isEnd(lines: readonly string[], place: number): boolean {
  const line = lines[place] as string;
  if (line.length > MAX_MARK_CHARS) return false;
  if (SIGNATURE.test(line) || SEPARATOR.test(line)) return true;
  if (RULE.test(line)) return isHeaderAt(lines, nextWritten(lines, place + 1));
  return isHeaderAt(lines, place);
}

function isHeaderAt(lines: readonly string[], place: number): boolean {
  if (!FROM_FIELD.test((lines[place] ?? '').slice(0, MAX_MARK_CHARS))) return false;
  const below = lines.slice(place + 1, place + 1 + MAX_HEADER_LINES);
  return below.filter((line) => OTHER_FIELD.test(line.slice(0, MAX_MARK_CHARS))).length >= 2;
}

/** The number of lines that introduce a quote here, or 0. */
function announcementAt(lines: readonly string[], place: number): number {
  let joined = '';
  for (let count = 1; count <= MAX_ANNOUNCEMENT_LINES; count += 1) {
    const line = lines[place + count - 1];
    if (line === undefined || line.length > MAX_MARK_CHARS) return 0;
    if (line.trim() === '' || QUOTED.test(line)) return 0;
    joined += ` ${line.trim()}`;
    if (joined.length > MAX_ANNOUNCEMENT_CHARS) return 0;
    if (WROTE.test(joined)) return isAnnouncing(lines, joined, place + count) ? count : 0;
  }
  return 0;
}

/**
 * A sentence such as "and then he wrote:" is no introduction: that needs a date or an address, or a quote
 * below.
 */
function isAnnouncing(lines: readonly string[], joined: string, after: number): boolean {
  if (QUOTED.test(lines[nextWritten(lines, after)] ?? '')) return true;
  return DATED.test(joined) && (joined.includes('@') || /\d{1,2}[:.]\d{2}|\d{4}/.test(joined));
}

function nextWritten(lines: readonly string[], from: number): number {
  let place = from;
  while (place < lines.length && (lines[place] as string).trim() === '') place += 1;
  return place;
}

/** Removes "Sent from my phone" at the end. */
function withoutProgramsWords(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 0 && (lines[end - 1] as string).trim() === '') end -= 1;
  return end > 0 && SENT_FROM.test((lines[end - 1] as string).slice(0, MAX_MARK_CHARS))
    ? lines.slice(0, end - 1)
    : lines.slice(0, end);
}

/** Markup that programs put around a quote in html. */
const QUOTE_MARKS = [
  'class="gmail_quote',
  'class="gmail_attr',
  'class="yahoo_quoted',
  'class="moz-cite-prefix',
  'class="protonmail_quote',
  'id="appendonsend"',
  'id="divrplyfwdmsg"',
  'id="mail-editor-reference-message-container"',
  'id="orig_mail_body_wrapper"',
  '<blockquote type="cite"',
  'name="quote"',
] as const;

export function htmlBeforeQuote(html: string): string {
  const lower = html.toLowerCase();
  const found = QUOTE_MARKS.map((mark) => lower.indexOf(mark)).filter((at) => at >= 0);
  if (found.length === 0) return html;
  const at = Math.min(...found);
  return html.slice(0, html[at] === '<' ? at : html.lastIndexOf('<', at));
}
