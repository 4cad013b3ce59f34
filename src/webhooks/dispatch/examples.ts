/** An example of each event for the API reference, equal to a test of its type. */
import { TYPE_PREFIX } from '../endpoints/schema.ts';
import { bodyWithoutMail } from './message.ts';
import { testedType } from './test-facts.ts';

const AT = new Date('2026-11-15T04:02:05.723Z');
const EVENT_ID = '01a1dd5e-951b-704f-81e9-a76fd2c8ca20';

/** `type` in its public form: `email.delivered`. */
export function webhookExample(type: string): object | null {
  const bare = type.startsWith(TYPE_PREFIX) ? type.slice(TYPE_PREFIX.length) : type;
  const eventType = testedType(bare) ?? type;
  const claim = {
    endpointId: 'whk_9c4zdqbtzrmrbnxfxw3m',
    organizationId: '',
    emailId: null,
    tries: 0,
    payload: null,
  };
  const body = bodyWithoutMail({ ...claim, eventId: EVENT_ID, eventType, createdAt: AT }, 'postrider');
  // The JSON form, in which times are strings.
  return JSON.parse(JSON.stringify(body));
}
