/** Names for what the API says about people and numbers. */
import type { Data, Item } from '@postrider/sdk';

export type Me = Data<'GET /auth/me'>;
export type Role = Me['role'];
export type Member = Item<'GET /members'>;
export type MadeByMember = Data<'GET /members/{id}/made'>;
export type InviteView = Data<'GET /invites/{token}'>;
export type AuditEntry = Item<'GET /audit-log'>;
export type LogEntry = Item<'GET /request-logs'>;
export type Stats = Data<'GET /stats'>;
export type StatsPoint = Stats['series'][number];
export type AttentionItem = Data<'GET /stats/attention'>['items'][number];
