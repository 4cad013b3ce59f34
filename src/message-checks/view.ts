/** The checks in the API's format. */
import type { CheckedLink } from './check-links.ts';
import type { MessageFinding } from './findings.ts';
import type { HtmlCheck } from './html-check.ts';
import type { MessageLink } from './links.ts';

interface Checks<Size> {
  readonly size: Size;
  readonly findings: readonly MessageFinding[];
  readonly links: readonly MessageLink[];
  readonly html: HtmlCheck | null;
}

export function checksView<Size>({ size, findings, links, html }: Checks<Size>) {
  return { size, findings: [...findings], links: [...links], html: html && htmlView(html) };
}

function htmlView({ is_complete, features, clients }: HtmlCheck) {
  return {
    is_complete,
    features: features.map((one) => ({
      ...one,
      unsupported: [...one.unsupported],
      partial: [...one.partial],
    })),
    clients: [...clients],
  };
}

export function checkedLinkView({ url, text, status, leadsTo, error }: CheckedLink) {
  return { url, text, status, error, leads_to: leadsTo };
}
