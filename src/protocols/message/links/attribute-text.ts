/**
 * Decodes an attribute's value only where its meaning is certain: links are decoded to be redirected to, and
 * `&copy=1` in a link begins a parameter and is not a character reference. Pure.
 */

/** In attributes these are valid without a semicolon too, unless a letter, a digit or `=` follows. */
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
/** Legacy names without a semicolon for letters beyond ASCII. */
const OLD_NAMES =
  /^(?:[A-Za-z](?:acute|grave|circ|uml|tilde)|[Aa](?:ring|Elig|elig)|[Cc]cedil|ETH|eth|[Oo]slash|THORN|thorn|szlig|nbsp|iexcl|cent|pound|curren|yen|brvbar|sect|uml|copy|COPY|ordf|laquo|not|shy|reg|REG|macr|deg|plusmn|sup[123]|acute|micro|para|middot|cedil|ordm|raquo|frac(?:14|12|34)|iquest|times|divide)$/;

/** Null for an unknown name, whose meaning is uncertain. */
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

/** Only distinguishes ASCII from the rest, because links beyond ASCII are never changed. */
function characterOf(code: number): string {
  return code > 0 && code < 0x80 ? String.fromCharCode(code) : '\ufffd';
}
