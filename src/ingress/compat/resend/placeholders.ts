/**
 * Resend's placeholders in our template language. `{{{NAME}}}` is the same in both: the value as it is, nothing escaped.
 * `{{{NAME|fallback}}}` is the helper `default` here, and is shown to Resend's clients the way they wrote it.
 */

const WITH_FALLBACK = /\{\{\{\s*([A-Za-z_]\w*)\s*\|([^{}"\\]*)\}\}\}/g;
const WITH_DEFAULT = /\{\{\{default ([A-Za-z_]\w*) "([^{}"\\]*)"\}\}\}/g;

export function fromResend(text: string): string {
  return text.replaceAll(
    WITH_FALLBACK,
    (_, name: string, fallback: string) => `{{{default ${name} "${fallback.trim()}"}}}`,
  );
}

export function toResend(text: string): string {
  return text.replaceAll(WITH_DEFAULT, '{{{$1|$2}}}');
}
