/** The target of a file: one remote organization, or the whole installation on this machine. */
import type { Database } from '../../database/database.ts';
import { createOrganization } from '../../organizations/service.ts';
import {
  listOrganizations,
  lockForBootstrap,
  setDailyLimit,
  setOrganizationName,
} from '../../organizations/store.ts';
import { routingDeps } from '../../processes/route-editing.ts';
import { type OperatorAction, recordOperatorAction } from '../audit.ts';
import { CliError, type CommandContext, EXIT_USAGE, type Options } from '../command.ts';
import { openKeyRing, withDatabase } from '../installation.ts';
import { httpApi, remoteOrganization } from './http-api.ts';
import { LocalServices, localApi } from './local-api.ts';
import type { MadeEntry, OrganizationApi } from './organization-api.ts';
import type { NamedChange } from './plan-text.ts';
import { type RoutesHere, routesHere } from './routes-plan.ts';

export interface OrganizationHere {
  readonly id: string;
  readonly name: string;
  readonly daily_limit: number;
}

export interface ApplyPlace {
  readonly open: (organizationId: string) => OrganizationApi;
  /** With a key, only the key's own organization. */
  readonly list: () => Promise<readonly OrganizationHere[]>;
  /** Null with a key, because only operators may manage organizations. */
  readonly operate: Operating | null;
  /** Writes the audit log where the API does not. */
  readonly note: (
    organizationId: string | null,
    change: NamedChange,
    made: MadeEntry | null,
  ) => Promise<void>;
}

interface Operating {
  readonly create: (name: string, dailyLimit: number | undefined) => Promise<OrganizationHere>;
  readonly change: (
    id: string,
    fields: { readonly name?: string; readonly daily_limit?: number },
  ) => Promise<void>;
  readonly routes: RoutesHere;
}

export async function atPlace<T>(
  context: CommandContext,
  { url, org }: Options,
  work: (place: ApplyPlace) => Promise<T>,
): Promise<T> {
  if (url === undefined) return withDatabase(context.config, (db) => locally(context, db, work));
  if (org !== undefined) throw new CliError('With --url the key says which organization it is.', EXIT_USAGE);
  const there = { url: addressOf(url), apiKey: keyOf(context), enough: context.enough };
  const api = httpApi(there);
  return work({
    open: () => api,
    list: async () => [await remoteOrganization(there)],
    operate: null,
    note: async () => {},
  });
}

function addressOf(url: string): string {
  const isUrl = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isUrl)
    throw new CliError('--url must be where Postrider answers: https://mail.example.org', EXIT_USAGE);
  return url.replace(/(\/api\/v1|\/v1)?\/*$/, '');
}

/** Never read from an option: every user of a machine can see the arguments of its processes. */
function keyOf({ config: { apiKey } }: CommandContext): string {
  if (apiKey !== undefined) return apiKey;
  throw new CliError('With --url, set POSTRIDER_API_KEY to a key of the organization.', EXIT_USAGE);
}

async function locally<T>(
  context: CommandContext,
  db: Database,
  work: (place: ApplyPlace) => Promise<T>,
): Promise<T> {
  const { config, clock } = context;
  const services = new LocalServices({ config, clock, db });
  const operate: Operating = {
    create: (name, dailyLimit = config.dailyLimit) =>
      db.transaction(async (tx) => {
        // The database allows two organizations with one name, so a lock prevents concurrent runs from
        // creating both.
        await lockForBootstrap(tx);
        if ((await listOrganizations(tx)).some((one) => one.name === name))
          throw new CliError('Somebody else made an organization of this name at the same moment.');
        return createOrganization(tx, clock, { name, dailyLimit });
      }),
    change: async (id, { name, daily_limit }) => {
      if (name !== undefined) await setOrganizationName(db, id, name);
      if (daily_limit !== undefined) await setDailyLimit(db, id, daily_limit);
    },
    routes: routesHere(db, async () => routingDeps({ db, config }, await openKeyRing(db, config))),
  };
  try {
    return await work({
      open: (id) => localApi(services, id),
      list: () => listOrganizations(db),
      operate,
      note: (organizationId, change, made) =>
        recordOperatorAction(db, context, auditEntryOf(organizationId, change, made)),
    });
  } finally {
    await services.stop();
  }
}

const NOUNS: Readonly<Record<NamedChange['kind'], string>> = {
  organization: 'organization',
  setting: 'settings',
  domain: 'domain',
  key: 'api_key',
  stream: 'stream',
  webhook: 'webhook',
  template: 'template',
  routes: 'routes',
};

/** `organizationId` is null for actions on the installation. */
function auditEntryOf(
  organizationId: string | null,
  change: NamedChange,
  made: MadeEntry | null,
): OperatorAction {
  const { kind, name, fields } = change;
  const id = kind === 'organization' ? organizationId : (made?.id ?? change.id);
  return {
    organizationId,
    action: `${NOUNS[kind]}.${verbOf(change)}`,
    ...(id === null || kind === 'setting' ? {} : { targetId: id }),
    ...(kind === 'setting' || name === '' ? {} : { targetName: name }),
    // A template's texts are in its versions.
    details: kind === 'template' ? {} : fields,
  };
}

function verbOf({ action, kind, name, fields }: NamedChange): string {
  if (kind === 'setting') return `${name.replaceAll('-', '_')}_changed`;
  if (kind === 'routes') return 'changed';
  if (action === 'create') return 'created';
  if (action === 'remove') return kind === 'key' ? 'revoked' : 'deleted';
  if (kind === 'domain') return 'tracking_changed';
  return kind === 'organization' && fields.name === undefined ? 'limit_changed' : 'updated';
}
