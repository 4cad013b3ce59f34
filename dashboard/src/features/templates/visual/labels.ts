/** What the parts of a template are called. */

const HEADING = /^h[1-6]$/;

export function elementLabel(name: string, isHidden: boolean): string {
  if (isHidden) return 'Hidden text';
  if (HEADING.test(name)) return 'Heading';
  if (name === 'li') return 'List item';
  if (name === 'th') return 'Table heading';
  return name === 'blockquote' ? 'Quote' : 'Text';
}

export function inlineLabel(name: string, label: string, isButton: boolean): string {
  if (name === 'a') return isButton ? 'Button text' : 'Link text';
  if (name === 'b' || name === 'strong') return 'Bold text';
  return name === 'i' || name === 'em' ? 'Italic text' : label;
}

const LOCKED: Readonly<Record<string, string>> = {
  head: 'document head',
  style: 'style sheet',
  script: 'script',
  svg: 'SVG image',
};

export function lockedElementLabel(name: string): string {
  return LOCKED[name] ?? `<${name}>`;
}

/** Of code that is no element. */
export function lockedLabel(code: string): string {
  if (/^<!doctype/i.test(code)) return 'document type';
  if (/^<!(--)?\[(end)?if/i.test(code)) return 'code for Outlook';
  if (/^(<!--|\{\{~?!)/.test(code)) return 'comment';
  const partial = /^\{\{~?>\s*([^\s}~]+)/.exec(code);
  if (partial) return `partial ${partial[1]}`;
  return code.startsWith('{{{') ? 'HTML from a variable' : 'code';
}

const SECTIONS: Readonly<Record<string, string>> = {
  if: 'If',
  unless: 'Unless',
  each: 'For each of',
  with: 'With',
};

/** `{{#each items as |item|}}` is “For each of items”. */
export function sectionLabel(tag: string): string {
  const found = /^\{\{~?#\s*(\w+)\s+([\s\S]*?)(\s+as\s+\|[^|]*\|)?\s*~?\}\}$/.exec(tag);
  const name = found ? SECTIONS[found[1] ?? ''] : undefined;
  if (name) return `${name} ${found?.[2]}`;
  const otherwise = /^\{\{~?\s*(?:\^|else\b)\s*([\s\S]*?)\s*~?\}\}$/.exec(tag);
  if (!otherwise) return tag;
  return otherwise[1] === '' ? 'Otherwise' : `Otherwise, ${otherwise[1]}`;
}
