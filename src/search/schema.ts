/** The request and response schemas of the search. */
import { type Static, Type } from 'typebox';
import { MAX_WORDS } from '../emails/lists/search-words.ts';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { MAX_HITS, SEARCH_KINDS, type SearchKind } from './found.ts';
import { OUTCOMES, wordsIn } from './search.ts';

const LEAST_CHARS = 2;

function words() {
  const description =
    'Words to search for: names, parts of names, addresses, subjects and ids. A hit has all of them, in any spelling: `mueller` finds Müller. Words of one or two characters are ignored beside longer ones.';
  return checked(Type.String({ maxLength: 200, description, examples: ['ada'] }), (text, problems) => {
    if (text.trim().length < LEAST_CHARS)
      problems.add('', `must contain at least ${LEAST_CHARS} characters to search for`);
    if (wordsIn(text).length > MAX_WORDS) problems.add('', `must be at most ${MAX_WORDS} words`);
  });
}

const KIND_LIST = SEARCH_KINDS.map((kind) => `\`${kind}\``).join(', ');

function kinds() {
  const description = `Only these kinds, separated by commas: ${KIND_LIST}. All kinds by default.`;
  return checked(
    Type.String({ maxLength: 200, description, examples: ['suppressions,emails'] }),
    (text, problems) => {
      if (!text.split(',').every(isKind))
        problems.add('', `must be some of ${SEARCH_KINDS.join(', ')}, separated by commas`);
    },
  );
}

function isKind(text: string): text is SearchKind {
  return SEARCH_KINDS.some((kind) => kind === text);
}

export const searchQuery = strictObject({ q: words(), kinds: Type.Optional(kinds()) });

/** In the order of the response. */
export function kindsOf({ kinds: text }: Static<typeof searchQuery>): readonly SearchKind[] {
  const asked = text === undefined ? null : text.split(',');
  return SEARCH_KINDS.filter((kind) => asked === null || asked.includes(kind));
}

const searchHit = Type.Object(
  {
    id: Type.String(),
    path: Type.String({
      description: 'Path of the request that returns it, without `/api/v1`.',
      examples: ['/emails/01a1dd1c-a2a7-709a-867c-8b135d323161'],
    }),
    title: Type.String({
      description:
        'Subject of an email, suppressed address, name of a template or a domain, URL of a webhook, method and path of a request.',
      examples: ['Your receipt'],
    }),
    email: nullable(
      Type.String({
        description:
          'Address of the person that the hit is about: the recipient who has the words, or the sender of received mail.',
        examples: ['ada@example.org'],
      }),
    ),
    name: nullable(Type.String({ description: 'Name of that person, if it is known.', examples: ['Ada'] })),
    state: nullable(
      Type.String({
        description:
          'State of an email, reason of a suppression, error code of a request, kind of a template, or whether a domain is verified and a webhook is enabled.',
        examples: ['bounced'],
      }),
    ),
    message: nullable(
      Type.String({
        description: 'Why it matters, in one sentence.',
        examples: ['The mailbox does not exist.'],
      }),
    ),
    email_id: nullable(
      Type.String({ description: 'Id of the email, or of the email that caused the suppression.' }),
    ),
    at: timestamp({
      description:
        'Time at which the email was accepted or received, the request refused, the address suppressed, the template changed, or the domain or webhook created.',
    }),
  },
  { $id: 'SearchHit' },
);

export const searchGroup = Type.Object(
  {
    kind: stringEnum(SEARCH_KINDS),
    outcome: stringEnum(OUTCOMES, {
      description:
        '`complete`: everything was searched. `limited`: only the newest were compared. `timed_out`: this kind could not be searched in time; search again, or use its list. `forbidden`: the key may not list this kind.',
    }),
    has_more: Type.Boolean({ description: `Whether there are more than the ${MAX_HITS} hits.` }),
    hits: Type.Array(searchHit, { maxItems: MAX_HITS }),
  },
  { $id: 'SearchGroup' },
);
