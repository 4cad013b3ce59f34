/**
 * The names of objects consist of ids only. All objects of an organization share a prefix, and so do those of one of its weeks.
 */
import { DAY_MS } from '../../runtime/durations.ts';

const WEEK_MS = 7 * DAY_MS;
/** 5 January 1970 was the first Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

export function objectName(organizationId: string, emailId: string, objectId: string): string {
  return `${weekBeginning(organizationId, weekNameOf(emailId))}${emailId}.${objectId}`;
}

/** The prefix of all objects of an organization's week; `20261109` is the week of 9 November. */
export function weekBeginning(organizationId: string, weekName: string): string {
  return `${organizationBeginning(organizationId)}${weekName}/`;
}

export function organizationBeginning(organizationId: string): string {
  return `${organizationId}/`;
}

export function weekNameOf(emailId: string): string {
  const ms = Number.parseInt(emailId.slice(0, 8) + emailId.slice(9, 13), 16);
  const monday = ms - ((((ms - FIRST_MONDAY_MS) % WEEK_MS) + WEEK_MS) % WEEK_MS);
  return new Date(monday).toISOString().slice(0, 10).replaceAll('-', '');
}
