import { Type } from 'typebox';
import { nullable, stringEnum } from '../http/schema.ts';
import { FINDING_SEVERITIES, type MessageFinding } from './check-content.ts';
import type { HtmlCheck } from './check-html.ts';
import type { CheckedLink } from './check-links.ts';
import type { MessageLink } from './links.ts';

const linkFields = {
  url: Type.String(),
  text: nullable(
    Type.String({ description: 'Text of the link in the html. Null for a link in plain text.' }),
  ),
};

const feature = Type.Object({
  feature: Type.String({ examples: ['display:flex'] }),
  about: Type.String({ description: 'URL of a page about the feature.' }),
  count: Type.Integer({ description: 'Number of uses in the html.' }),
  line: Type.Integer({ description: 'Line of the html with the first use.' }),
  unsupported: Type.Array(Type.String(), { description: 'Mail clients that do not support the feature.' }),
  partial: Type.Array(Type.String(), { description: 'Mail clients that support the feature in part.' }),
});

const client = Type.Object({
  name: Type.String({ examples: ['Outlook on Windows'] }),
  unsupported: Type.Integer({
    description: 'Number of features of the message that the client does not support.',
  }),
  partial: Type.Integer(),
});

const aboutContent = {
  findings: Type.Array(
    Type.Object({
      kind: Type.String({ examples: ['html_clipped'] }),
      severity: stringEnum(FINDING_SEVERITIES),
      message: Type.String({ description: 'Explanation of the problem in words.' }),
    }),
    { description: 'Problems in the message that affect spam filters or readers.' },
  ),
  links: Type.Array(Type.Object(linkFields), {
    description: 'Links of the message, each listed once. At most 100.',
  }),
  html: nullable(
    Type.Object(
      {
        is_complete: Type.Boolean({
          description: 'Whether the whole html was checked. False if only the first 250,000 characters were.',
        }),
        features: Type.Array(feature, {
          description:
            'Features of the html that at least one mail client does not fully support, worst first.',
        }),
        clients: Type.Array(client),
      },
      {
        description:
          'Support of mail clients for the html, by the tables of Can I email. Null if there is no html.',
      },
    ),
  ),
};

/** For content that is not composed yet. */
export const contentChecks = {
  size: Type.Object(
    { html: Type.Integer(), text: Type.Integer() },
    { description: 'Sizes of html and text in bytes.' },
  ),
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
      {
        description:
          'Sizes in bytes. `message`: the message as sent. `html`, `text` and `attachments`: the decoded parts.',
      },
    ),
    ...aboutContent,
  },
  { $id: 'SandboxMessageChecks' },
);

export const checkedLinks = Type.Array(
  Type.Object(
    {
      ...linkFields,
      status: nullable(
        Type.Integer({ description: 'HTTP status of the last response. Null if there was no response.' }),
      ),
      leads_to: nullable(
        Type.String({ description: 'URL after redirects. Null if the link does not redirect.' }),
      ),
      error: nullable(Type.String({ description: 'What is wrong with the link. Null if the link works.' })),
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
