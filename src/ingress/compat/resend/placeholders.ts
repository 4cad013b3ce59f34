/**
 * Resend's placeholders in our template language. `{{{NAME}}}` is the same in both: the value without
 * escaping. `{{{NAME|fallback}}}` is stored as the helper `default`, and shown to Resend's clients in its
 * original form.
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
