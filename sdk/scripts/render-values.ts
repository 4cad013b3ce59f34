/** Writes the closed sets of the API as TypeScript, for programs that offer a choice of them. */
import { EMAIL_STATES, STATUSES } from '../../src/emails/status.ts';
import { EVENT_TYPES } from '../../src/events/append.ts';
import { ROLES, SCOPES } from '../../src/runtime/permissions.ts';
import { REASONS } from '../../src/suppressions/suppression.ts';
import { WEBHOOK_TYPES } from '../../src/webhooks/endpoints/schema.ts';
import { WEBHOOK_FORMATS } from '../../src/webhooks/endpoints/store.ts';

const HEADING = '// Made from the closed sets of the API by `npm run types -w sdk`. Changes belong there.\n';

const SETS = [
  { name: 'EMAIL_STATUSES', about: 'What may be known of an email as a whole.', values: STATUSES },
  { name: 'EMAIL_STATES', about: 'What people call its situation.', values: EMAIL_STATES },
  { name: 'EMAIL_EVENT_TYPES', about: 'What can happen to an email.', values: EVENT_TYPES },
  { name: 'WEBHOOK_EVENT_TYPES', about: 'What a webhook can ask for.', values: WEBHOOK_TYPES },
  { name: 'WEBHOOK_FORMATS', about: 'In whose words a webhook is told.', values: WEBHOOK_FORMATS },
  { name: 'SUPPRESSION_REASONS', about: 'Why an address must not be mailed.', values: REASONS },
  { name: 'ROLES', about: 'Of people in an organization.', values: ROLES },
  { name: 'API_KEY_SCOPES', about: 'Of API keys, the widest first.', values: SCOPES },
] as const;

export function renderValues(): string {
  const sets = SETS.map(({ name, about, values }) => {
    const lines = values.map((value) => `  ${JSON.stringify(value)},\n`).join('');
    return `/** ${about} */\nexport const ${name} = [\n${lines}] as const;\n`;
  });
  return [HEADING, ...sets].join('\n');
}
