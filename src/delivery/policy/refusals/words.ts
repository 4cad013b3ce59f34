/**
 * Normalises the words of a reply and finds phrases among them. Pure.
 *
 * Replies are untrusted, so no regular expression with unbounded run time is used: a text becomes a list of words once, and a
 * phrase is compared word by word. Every comparison is counted, so that a test can bound the work.
 *
 * A phrase is a sequence of words. `~` stands for zero to five words of the same sentence. What is dropped from a text
 * (articles, forms of "to be", endings such as -ed and -s, negated forms written together) is dropped from phrases too:
 * "mailbox full" is also found in "the mailbox is full", "user not exist" in "this user doesn't exist".
 */
import { DROPPED, SAME } from './words-alike.ts';

export interface Words {
  /** In order; `.` ends a sentence, `@` stands for an address, `#` for an IP address, `&` for a host name or a link. */
  readonly list: readonly string[];
  readonly known: ReadonlySet<string>;
  /** Links and host names, in lower case, apart: their parts are names, not words. */
  readonly links: string;
  /** Comparisons made so far. */
  steps: number;
}

export interface Phrase {
  /** Parts between `~`, each a row of words. */
  readonly parts: readonly (readonly string[])[];
}

const MARKS = new Set(['@', '#', '&']);
const MAX_WORDS = 400;
const MAX_GAP = 5;

/** "rejected.Please" is two sentences: names end in what is a top-level domain, or have at least three parts. */
const NAME_END =
  /\.(?:com|net|org|edu|gov|info|biz|io|eu|de|fr|uk|us|ca|jp|cn|ru|br|it|es|nl|pl|ch|at|cz|se|be|au|in|tw|kr|example|test|invalid|local|lan|internal|microsoft|cloud)$/;
const MAX_CHARS = 2_000;

export function readWords(text: string): Words {
  const list: string[] = [];
  let links = '';
  for (const chunk of unify(text).split(/[\s<>"'()[\]{},|]/)) {
    if (chunk === '') continue;
    if (list.length >= MAX_WORDS) break;
    const bare = withoutEnd(chunk);
    const mark = markOf(bare);
    if (mark === '&' && !HELPERS.test(bare)) links += ` ${bare}`;
    if (mark === null) addWords(list, chunk);
    else list.push(...glued(bare, mark), mark);
    // What follows an address at a colon, or the end of the sentence.
    if (mark === '@') addWords(list, bare.slice(bare.indexOf('@')).split(':')[1] ?? '');
    if (mark !== null && bare !== chunk) list.push('.');
  }
  return { list, known: new Set(list), links, steps: list.length };
}

/** The words that a colon ties to an address, as in "unknown user:ann@example.com". */
function glued(chunk: string, mark: string): readonly string[] {
  const words: string[] = [];
  if (mark === '@') addWords(words, chunk.slice(0, Math.max(0, chunk.lastIndexOf(':', chunk.indexOf('@')))));
  return words;
}

export function phrase(written: string): Phrase {
  return { parts: written.split('~').map((part) => part.split(' ').flatMap(comparedWords)) };
}

/** What is compared of one word of a phrase: none of a word that says nothing, several of one that stands for them. */
export function comparedWords(written: string): readonly string[] {
  const known = TAKEN_APART.get(written);
  if (known !== undefined) return known;
  const words = takeApart(written);
  TAKEN_APART.set(written, words);
  return words;
}

/** A word of plain letters is no name, mark or sentence, so that nothing of a text has to be looked for in it. */
function takeApart(written: string): readonly string[] {
  if (MARKS.has(written)) return [written];
  if (!PLAIN.test(written)) return readWords(written).list;
  const words: string[] = [];
  addWord(words, written);
  return words;
}

/** Words of phrases, which are few and come again and again. */
const TAKEN_APART = new Map<string, readonly string[]>();

/** Whether the phrase is there, and nobody says "not" right before it. */
export function says(words: Words, { parts }: Phrase): boolean {
  if (!allKnown(words, parts)) return false;
  return starts(words, parts[0] as readonly string[]).some((end) => goesOn(words, parts, end));
}

/** Letters that are not a letter and a mark to Unicode. */
const UNMARKED: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i' };

/** Some servers write their replies as HTML. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&#60;': '<',
  '&gt;': '>',
  '&#62;': '>',
  '&amp;': '&',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
};

function unify(text: string): string {
  return (
    text
      .slice(0, MAX_CHARS)
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/&(lt|gt|amp|quot|apos|nbsp|#39|#x27|#34|#60|#62);/g, (entity) => ENTITIES[entity] ?? ' ')
      .replace(/[łøđı]/g, (letter) => UNMARKED[letter] ?? letter)
      .replace(/[’`´]/g, "'")
      .replace(/\b(?:ca|wo)n't\b/g, ' not')
      .replace(/n't\b/g, ' not')
      // Postfix puts it in front of whatever a policy says, so that it says nothing of the recipient.
      .replace(/\brecipient address(?:es)? rejected ?: /g, 'rcptrejected. ')
      // The words of another server count as this one's.
      .replace(/\bhost [a-z0-9._-]{1,255}(?:\[[^\]]{1,60}\])?(?::\d{1,5})? said:/g, '')
      .replace(/\bbeing (?:moved|relocated)\b/g, 'migrated')
      // BT numbers its policies like addresses.
      .replace(/\bpolicy \(\d\.\d\.\d\.\d\)/g, 'policy')
      // Examples are no causes.
      .replace(/[([]e\.? ?g\b[^)\]]{0,160}[)\]]/g, '')
      // Which command it was, the phase says.
      .replace(/\(in reply to [^)]{0,80}\)/g, '')
      // What follows a colon is not denied.
      .replace(/\bnot:/g, 'not.')
      .replace(/\be-mail/g, 'mail')
      .replace(/\bmail[- ]box/g, 'mailbox')
      .replace(/\banti-virus/g, 'antivirus')
      .replace(/\bnon[- ]?exist(?:ent|ant|ing)\b/g, 'nonexistent')
      .replace(/\bno exists?\b/g, 'not exist')
      // Which mailbox, the command said.
      .replace(QUALIFIED, '')
      .replace(/\benvelope[- ](?:sender|from)\b/g, 'sender')
      .replace(/\bdestination (?:e?mail )?address\b/g, 'recipient address')
      // Whom to ask is not whom it is about.
      .replace(/\byour domain (?:[245]\.\d\.\d{1,3} )?administrator/g, 'administrator')
      // The domain that refuses is the recipient's.
      .replace(/\bblocked by this domain\b/g, 'blocked by recipient')
      // "180sec", "5min".
      .replace(/\b(\d{1,4})(?=(?:secs?|seconds?|mins?|minutes?|hours?)\b)/g, '$1 ')
      // Misspelt often, and "to" alone is dropped.
      .replace(/\bto many\b/g, 'too many')
      // "Currently" alone is filler, but nobody is unavailable "currently" for good.
      .replace(/\bcurrently (?=unavailable|not available|down\b|offline|locked)/g, 'temporarily ')
  );
}

/** "Target mailbox", "mail account": words in front of the mailbox that tell nothing more. */
const QUALIFIED =
  /\b(?:destination|target|virtual|specified|requested|intended|given|e?mail|customer) (?=(?:mailbox|account|user|recipient|inbox)\b)/g;

/** Without the punctuation that it ends with. */
function withoutEnd(chunk: string): string {
  let end = chunk.length;
  while (end > 0 && '.;:!?-'.includes(chunk[end - 1] as string)) end -= 1;
  return chunk.slice(0, end);
}

/** Whom to write to is neither the sender nor the recipient. */
const HELPERS =
  /^(?:mailto:)?(?:postmaster|abuse|support|hostmaster|help|delist|unblock|noc)[a-z0-9_.+-]{0,30}@/;

function markOf(chunk: string): string | null {
  if (chunk.includes('://') || chunk.startsWith('www.')) return '&';
  if (HELPERS.test(chunk)) return '&';
  if (chunk.includes('@')) return chunk.length > 2 ? '@' : null;
  if (/(?:^|[=:])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?:$|[:/])/.test(chunk)) return '#';
  if (/^(?:ipv6:)?[0-9a-f]{1,4}:[0-9a-f:.]{2,40}$/.test(chunk) && chunk.split(':').length > 3) return '#';
  return isName(chunk) ? '&' : null;
}

function isName(chunk: string): boolean {
  if (!chunk.includes('.') || !/^[a-z0-9._-]{4,253}$/.test(chunk) || !/[a-z]/.test(chunk)) return false;
  return NAME_END.test(chunk) || (/\.[^.]{1,63}\.[a-z]{2,6}$/.test(chunk) && !/^[45]\.\d/.test(chunk));
}

/** Han and Kana are written without spaces: each sign counts as a word, in the text as in the phrase. */
const PIECE = /./gsu;
const SIGN = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]$/;
const PLAIN = /^[a-z0-9]+$/;
const LETTER = /^[\p{L}\p{N}]$/u;

function addWords(list: string[], chunk: string): void {
  if (PLAIN.test(chunk)) {
    addWord(list, chunk);
    return;
  }
  let word = '';
  // The point of a version, a size or a top-level domain ends no sentence.
  for (const piece of chunk.replace(/^\.(?=[a-z])|(\d)\.(?=\d)/g, '$1 ').match(PIECE) ?? []) {
    if (!SIGN.test(piece) && LETTER.test(piece)) {
      word += piece;
      continue;
    }
    addWord(list, word);
    word = '';
    if (SIGN.test(piece)) list.push(piece);
    else if ('.;!?。！？；'.includes(piece)) list.push('.');
  }
  addWord(list, word);
}

function addWord(list: string[], written: string): void {
  if (written === '' || DROPPED.has(written)) return;
  const same = Object.hasOwn(SAME, written) ? SAME[written] : undefined;
  for (const word of same ?? [written]) list.push(stem(word));
}

const ENDINGS = ['ing', 'ed', 'es', 's', 'e'];

/** "Is not accepting" will pass, "does not accept" will not; your hosting provider is not your host. */
const WHOLE = new Set(['accepting', 'hosting']);

function stem(word: string): string {
  if (WHOLE.has(word)) return word;
  for (const ending of ENDINGS) {
    if (word.length - ending.length < 4 || !word.endsWith(ending)) continue;
    if ((ending === 's' && word.endsWith('ss')) || (ending === 'ed' && word.endsWith('eed'))) return word;
    const rest = word.slice(0, -ending.length);
    return /(?:tt|pp|nn|rr|gg)$/.test(rest) ? rest.slice(0, -1) : rest;
  }
  return word;
}

function allKnown(words: Words, parts: Phrase['parts']): boolean {
  for (const part of parts) {
    for (const word of part) {
      words.steps += 1;
      if (!words.known.has(word)) return false;
    }
  }
  return true;
}

/** Where the row ends, for each place where it stands. */
function starts(words: Words, row: readonly string[]): number[] {
  const ends: number[] = [];
  for (let at = 0; at < words.list.length; at += 1) {
    if (!standsAt(words, row, at)) continue;
    if (!isDenied(words, row, at)) ends.push(at + row.length);
  }
  return ends;
}

function goesOn(words: Words, parts: Phrase['parts'], firstEnd: number): boolean {
  let ends = new Set([firstEnd]);
  for (const [before, row] of parts.slice(1).entries()) {
    const endsInNot = parts[before]?.at(-1) === 'not';
    const next = new Set<number>();
    for (const end of ends) {
      for (let at = end; at <= end + MAX_GAP && words.list[at - 1] !== '.'; at += 1) {
        if (!standsAt(words, row, at)) continue;
        // The "not" of the phrase itself denies nothing.
        if ((endsInNot && at === end) || !isDenied(words, row, at)) next.add(at + row.length);
      }
    }
    if (next.size === 0) return false;
    ends = next;
  }
  return true;
}

function isDenied(words: Words, row: readonly string[], at: number): boolean {
  return words.list[at - 1] === 'not' && row[0] !== 'not';
}

function standsAt(words: Words, row: readonly string[], at: number): boolean {
  for (let i = 0; i < row.length; i += 1) {
    words.steps += 1;
    if (words.list[at + i] !== row[i]) return false;
  }
  return true;
}

/** Phrases as they are written in the tables: with commas between them, over as many lines as it takes. */
export function list(written: string): readonly string[] {
  return written.split(/[,\n]/).flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
}
