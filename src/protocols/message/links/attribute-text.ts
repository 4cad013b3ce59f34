/**
 * What the value of an attribute says, as far as that is certain: links are decoded to be sent on to, and `&copy=1` in one
 * is the beginning of a parameter, not a sign. Pure.
 */

/** In attributes these count without a semicolon as well, unless a letter, a digit or `=` follows. */
const LEGACY = new Map([
  ['amp', '&'],
  ['AMP', '&'],
  ['lt', '<'],
  ['LT', '<'],
  ['gt', '>'],
  ['GT', '>'],
  ['quot', '"'],
  ['QUOT', '"'],
]);
const APOSTROPHE = 'apos';
const REFERENCE = /&(?:#[xX]([0-9a-fA-F]+)|#([0-9]+)|([A-Za-z][A-Za-z0-9]*))(;?)(?=(=?))/g;
/** Names that stood without a semicolon before there was a standard, and stand for letters beyond ASCII. */
const OLD_NAMES =
  /^(?:[A-Za-z](?:acute|grave|circ|uml|tilde)|[Aa](?:ring|Elig|elig)|[Cc]cedil|ETH|eth|[Oo]slash|THORN|thorn|szlig|nbsp|iexcl|cent|pound|curren|yen|brvbar|sect|uml|copy|COPY|ordf|laquo|not|shy|reg|REG|macr|deg|plusmn|sup[123]|acute|micro|para|middot|cedil|ordm|raquo|frac(?:14|12|34)|iquest|times|divide)$/;

/** Null where it has a name that is not known here: then nobody may say what it means. */
export function decodeAttribute(text: string): string | null {
  if (!text.includes('&')) return text;
  let isCertain = true;
  const decoded = text.replace(
    REFERENCE,
    (
      whole,
      hex: string | undefined,
      decimal: string | undefined,
      name: string | undefined,
      end: string,
      equals: string,
    ) => {
      if (name === undefined)
        return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
      if (end === '' && equals !== '') return whole;
      const character = LEGACY.get(name) ?? (name === APOSTROPHE && end !== '' ? "'" : undefined);
      if (character !== undefined) return character;
      if (end !== '' || OLD_NAMES.test(name)) isCertain = false;
      return whole;
    },
  );
  return isCertain ? decoded : null;
}

/** What is beyond ASCII is told apart from it, and no further: no link with it is changed. */
function characterOf(code: number): string {
  return code > 0 && code < 0x80 ? String.fromCharCode(code) : '\ufffd';
}
