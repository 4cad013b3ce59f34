/** Checks whether the mailbox belongs to a function (sales, support) rather than a person. */
import type { Address } from '../../protocols/message/address.ts';
import type { ValidationLists } from '../lists.ts';
import { type Finding, finding } from './check.ts';

const PERSONAL = finding('pass', 'personal', 'The address does not look like a role address.');

export function checkRole({ local }: Address, { roles }: Pick<ValidationLists, 'roles'>): Finding {
  const plain = local.toLowerCase();
  const name = (plain.split('+', 1)[0] as string).replace(/[._-]/g, '');
  const unread = roles.get(name);
  if (unread === true || UNREAD.test(name) || BOUNCES.test(plain)) {
    return finding('fail', 'unread', 'Nobody reads mail to this address.', 'unread_address');
  }
  if (unread === false) {
    return finding('warn', 'role', 'The address belongs to a role, not to a person.', 'role_address');
  }
  return PERSONAL;
}

const UNREAD = /noreply|donotreply|mailerdaemon/;
/** `bounces+4711@`, `bounce-list=jane@`: return paths for machines. */
const BOUNCES = /^bounces?(?:[-_.+=\d]|$)/;
