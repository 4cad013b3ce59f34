/** The part of docs/track/reasons.md that comes from the code: a table of all reasons, and a section for each. */

import { adviceOn } from '../../src/delivery/policy/advice.ts';
import { OUTCOME_REASONS } from '../../src/delivery/policy/reasons.ts';
import type { Responsible } from '../../src/explain/explain.ts';
import { prose, table } from '../reference/markdown.ts';
import { replaceBlock } from './block.ts';
import { type Origin, outcomesByReason, type ReasonOutcomes } from './outcomes.ts';

export const REASONS_PAGE = 'docs/track/reasons.md';

interface Reason extends ReasonOutcomes {
  readonly name: string;
  readonly meaning: string;
  readonly responsible: Responsible;
  readonly advice: string;
}

/** Each reason is in the first group that fits. */
const GROUPS: readonly (readonly [Origin, string])[] = [
  ['reply', 'A server refused the email'],
  ['trouble', 'No server took the email'],
  ['own', 'Postrider or its users ended the delivery'],
];

const WHO: Readonly<Record<Responsible, string>> = {
  recipient: 'the recipient',
  sender: 'you, the sender',
  domain_owner: 'the person who manages the DNS of the domain',
  receiver: "the recipient's postmaster",
  operator: 'the operator of this installation',
};

export function withReasons(page: string): string {
  const reasons = allReasons();
  const groups = GROUPS.map(([origin, title]) => ({
    title,
    members: reasons.filter((one) => groupOf(one) === origin),
  }));
  return [
    ['reasons-table', overview(groups.flatMap(({ members }) => members))],
    ['reasons', groups.map(({ title, members }) => groupText(title, members)).join('\n\n')],
  ].reduce((text, [name = '', block = '']) => replaceBlock(REASONS_PAGE, text, name, () => block), page);
}

/** Delivered mail has no reason. */
function allReasons(): Reason[] {
  const outcomes = outcomesByReason();
  const known = Object.keys(OUTCOME_REASONS).filter((name) => name !== 'accepted');
  return [...new Set([...known, ...outcomes.keys()])].map((name) => {
    const [outcome, advice] = [outcomes.get(name), adviceOn(name)];
    if (!outcome) throw new Error(`Nothing leads to the reason ${name}: add what does to outcomes.ts.`);
    if (!advice) throw new Error(`There is no advice on the reason ${name}: add it to advice.ts.`);
    return { name, ...outcome, ...advice };
  });
}

function groupOf({ origins }: ReasonOutcomes): Origin {
  return GROUPS.find(([origin]) => origins.has(origin))?.[0] ?? 'own';
}

function overview(reasons: readonly Reason[]): string {
  const rows = reasons.map((one) => [
    `[\`${one.name}\`](#${one.name})`,
    prose(one.meaning),
    retried(one).short,
    suppresses(one).short,
  ]);
  return table(['Reason', 'Meaning', 'Retried', 'Suppresses'], rows);
}

function groupText(title: string, reasons: readonly Reason[]): string {
  return [`## ${title}`, ...reasons.map(section)].join('\n\n');
}

function section(reason: Reason): string {
  const { name, meaning, responsible, advice } = reason;
  const lines = [
    `- **Who can fix it:** ${WHO[responsible]} (\`${responsible}\`)`,
    `- **What to do:** ${prose(advice)}`,
    `- **Event:** ${[...reason.endings].map((ending) => `\`${ending}\``).join(' or ')}`,
    `- **Retried:** ${retried(reason).long}`,
    `- **Suppresses the address:** ${suppresses(reason).long}`,
  ];
  return [`### \`${name}\``, prose(meaning), lines.join('\n')].join('\n\n');
}

interface Words {
  readonly short: string;
  readonly long: string;
}

function retried({ endings, origins }: Reason): Words {
  if (!endings.has('deferred')) {
    const how = endings.has('bounced') ? 'The email bounces at once.' : 'The delivery ends at once.';
    return { short: 'no', long: `No. ${how}` };
  }
  if (endings.size === 1) return { short: 'yes', long: "Yes, until the email's lifetime is over." };
  return origins.has('reply')
    ? { short: 'after 4xx', long: 'After a temporary refusal (4xx). Otherwise the email bounces at once.' }
    : { short: 'at first', long: 'As long as the problem may pass. Otherwise the email bounces.' };
}

function suppresses({ name, suppress }: Reason): Words {
  if (name === 'suppressed') return { short: 'already', long: 'The address is on the list already.' };
  switch (suppress) {
    case 'always':
      return { short: 'yes', long: 'Yes, as `hard_bounce`, when the email bounces.' };
    case 'sometimes':
      return {
        short: 'mostly',
        long: 'Yes, as `hard_bounce`, when the email bounces. Replies that leave doubt about the mailbox are exempt.',
      };
    case 'full':
      return {
        short: 'in the end',
        long: 'As `soft_bounce`, when the mailbox [stays full](suppressions.md#automatic-entries).',
      };
    case 'never':
      return { short: 'no', long: 'No.' };
  }
}
