/** Escapes HTML exactly as Handlebars does. */

const SPECIAL = /[&<>"'`=]/;
const AMP = 0x26;
const LT = 0x3c;
const GT = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKTICK = 0x60;
const EQUALS = 0x3d;
/** Up to about this length, a loop is faster than the regular expression. */
const SHORT = 48;

export function escapeHtml(text: string): string {
  const from = firstSpecial(text);
  return from < 0 ? text : escapeFrom(text, from);
}

function firstSpecial(text: string): number {
  if (text.length > SHORT) return text.search(SPECIAL);
  for (let i = 0; i < text.length; i += 1) {
    if (entity(text.charCodeAt(i)) !== null) return i;
  }
  return -1;
}

function escapeFrom(text: string, from: number): string {
  let result = '';
  let copied = 0;
  for (let i = from; i < text.length; i += 1) {
    const replacement = entity(text.charCodeAt(i));
    if (replacement === null) continue;
    result += text.slice(copied, i) + replacement;
    copied = i + 1;
  }
  return copied < text.length ? result + text.slice(copied) : result;
}

function entity(code: number): string | null {
  // Letters, the most common characters, need one comparison.
  if (code > BACKTICK || (code > GT && code < BACKTICK)) return null;
  switch (code) {
    case AMP:
      return '&amp;';
    case LT:
      return '&lt;';
    case GT:
      return '&gt;';
    case QUOTE:
      return '&quot;';
    case APOSTROPHE:
      return '&#x27;';
    case BACKTICK:
      return '&#x60;';
    case EQUALS:
      return '&#x3D;';
    default:
      return null;
  }
}
