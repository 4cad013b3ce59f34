import { Type } from 'typebox';
import { nullable, stringEnum } from '../http/schema.ts';
import { FINDING_SEVERITIES, type MessageFinding } from './check-content.ts';
import type { HtmlCheck } from './check-html.ts';
import type { CheckedLink } from './check-links.ts';
import type { MessageLink } from './links.ts';

const linkFields = {
  url: Type.String(),
  text: nullable(Type.String({ description: 'What is clicked on; null in plain text.' })),
};

const feature = Type.Object({
  feature: Type.String({ examples: ['display:flex'] }),
  about: Type.String({ description: 'A page about it.' }),
  count: Type.Integer({ description: 'How often it is used.' }),
  line: Type.Integer({ description: 'Of the HTML, where it is used first.' }),
  unsupported: Type.Array(Type.String(), { description: 'Mail clients that do not support it.' }),
  partial: Type.Array(Type.String(), { description: 'Mail clients that support it in part.' }),
});

const client = Type.Object({
  name: Type.String({ examples: ['Outlook on Windows'] }),
  unsupported: Type.Integer({ description: 'How many features that the message uses it does not support.' }),
  partial: Type.Integer(),
});

const aboutContent = {
  findings: Type.Array(
    Type.Object({
      kind: Type.String({ examples: ['html_clipped'] }),
      severity: stringEnum(FINDING_SEVERITIES),
      message: Type.String({ description: 'A sentence for people.' }),
    }),
    { description: 'Problems that spam filters and readers react to.' },
  ),
  links: Type.Array(Type.Object(linkFields), { description: 'Each once, up to 100.' }),
  html: nullable(
    Type.Object(
      {
        is_complete: Type.Boolean({ description: 'False if only the first 250,000 characters were read.' }),
        features: Type.Array(feature, {
          description: 'Those that some client does not support; the worst first.',
        }),
        clients: Type.Array(client),
      },
      {
        description: 'What mail clients make of the HTML, by the tables of Can I email. Null without HTML.',
      },
    ),
  ),
};

/** For content that is not composed yet. */
export const contentChecks = {
  size: Type.Object({ html: Type.Integer(), text: Type.Integer() }, { description: 'In bytes.' }),
  ...aboutContent,
};

export const checksSchema = Type.Object(
  {
    size: Type.Object(
      {
        message: Type.Integer(),
        html: Type.Integer(),
        text: Type.Integer(),
        attachments: Type.Integer(),
      },
      { description: 'In bytes: the message as sent, its parts decoded.' },
    ),
    ...aboutContent,
  },
  { $id: 'SandboxMessageChecks' },
);

export const checkedLinks = Type.Array(
  Type.Object(
    {
      ...linkFields,
      status: nullable(Type.Integer({ description: 'Of the last response; null without one.' })),
      leads_to: nullable(Type.String({ description: 'After redirects; null without any.' })),
      error: nullable(Type.String({ description: 'What is wrong; null if it leads somewhere.' })),
    },
    { $id: 'SandboxCheckedLink' },
  ),
);

interface Checks<Size> {
  readonly size: Size;
  readonly findings: readonly MessageFinding[];
  readonly links: readonly MessageLink[];
  readonly html: HtmlCheck | null;
}

/** The checks in the API's format. */
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
